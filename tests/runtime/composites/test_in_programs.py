"""Composites in loops, branches and functions of the program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import X, agree

CASES: list[tuple[Any, ...]] = [
    ("for i in range(len(a)):\n    b[i]=a[:i+1].mean()\nreturn b", X[0], np.zeros(4)),
    ("for i in range(len(a)):\n    b[i]=a[:i+1].max()+a[i:].min()\nreturn b", X[0], np.zeros(4)),
    ("for i in range(len(a)):\n    b[i]=a[:i].max()\nreturn b", X[0], np.zeros(4)),
    ("t=0.\nfor i in range(1,len(a)):\n    t+=np.linspace(0,a[i],i).sum()\nreturn t", X[0]),
    ("t=0.\nfor r in a:\n    t+=np.concatenate([r,r[::-1]]).std()\nreturn t", X),
    ("t=0.\nfor r in a:\n    t=t+np.where(r>0,r,0).sum()+np.clip(r,0,1).max()\nreturn t", X),
    (
        "t=np.zeros(3)\nfor i in range(len(a)):\n    y=a[i].reshape(2,2)\n    t[i]=np.trace(y)+y.T.ravel()[1]\nreturn t",
        X,
    ),
    (
        "t=np.zeros(3)\nfor i in range(len(a)):\n    y=a[i][:]\n    y.shape=(2,2)\n    t[i]=(y@y).sum()\nreturn t",
        X,
    ),
    ("y=np.zeros((2,6))\nif b>0:\n    y=a.reshape(2,6)\nreturn y*2", X, 1),
    ("y=a.copy()\nwhile y.sum()>b:\n    y=y*0.5\n    y[0]=np.roll(y[0],1)\nreturn y", X, 3.0),
    ("s=0\nwhile s<a:\n    s+=int(np.sum(np.arange(3)))\nreturn s", 10),
    ("x=np.empty(len(a)+b)\nx[:b]=0\nx[b:]=a\nreturn x", X[0], 2),
    ("def g(z, axis=None):\n    return np.sum(z, axis=axis)\nreturn g(a), g(a,0), g(a,axis=1)", X),
    ("return np.array([q*2 for q in a])", X[0]),
    ("return np.array([q.sum() for q in a])", X),
    ("return [q.max() for q in a]", X),
    ("n=a.shape[0]\nm=np.zeros((n,n))\nm[np.arange(n),np.arange(n)]=1\nreturn m", X),
    ("m=np.mean(a,axis=0,keepdims=True)\nreturn (a-m)/np.std(a,axis=0)", X),
    ("e=np.exp(a-np.max(a,axis=1,keepdims=True))\nreturn e/e.sum(axis=1,keepdims=True)", X),
    ("d=np.linalg.norm(a[:,None]-a[None],axis=-1)\nreturn d.argmin(axis=1)", X),
    ("b[...]=np.dot(a,a.T)\nreturn b", X, np.zeros((3, 3))),
    ("np.dot(a,a.T,out=b)\nreturn b.trace()", X, np.zeros((3, 3))),
    ("a[:]=np.flip(a)\nreturn a", X),
    ("a[1:]=a[:-1].copy()\nreturn a", X),
    ("a[:,0],a[:,1]=a[:,1].copy(),a[:,0].copy()\nreturn a", X),
    ("np.copyto(a[1:],a[:-1])\nreturn a", X),
    ("np.add(a[1:],a[:-1],out=a[1:])\nreturn a", X),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_programs_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES[:12], ids=lambda case: case[0])
def test_compiled_programs_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case, device="cpu")
