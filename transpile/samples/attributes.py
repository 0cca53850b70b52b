"""Types, attributes and methods of arrays and scalars."""

CALLS = r"""
np.can_cast(a.dtype, float)
np.result_type(a, f)
np.promote_types(np.float32, int)
np.common_type(a, f)
np.min_scalar_type(10)
np.issubdtype(a.dtype, np.floating)
np.isdtype(a.dtype, 'real floating')
np.finfo(float).eps
np.iinfo(int).max
np.finfo(a.dtype).tiny
np.isscalar(s)
np.isrealobj(a)
np.iscomplexobj(z)
np.ndim(a)
np.shape(a)
np.size(a)
np.size(a, 0)
np.shares_memory(a, b)
np.may_share_memory(a, a)
np.isfortran(a)
np.iterable(a)
np.mintypecode('d')
np.typename('d')
np.base_repr(5, 2)
np.binary_repr(5, 8)
np.binary_repr(n)
np.array2string(a)
np.array_repr(a)
np.array_str(a)
np.format_float_positional(s)
np.geterr()
a.shape
a.dtype
a.dtype.name
a.dtype.kind
a.dtype.itemsize
a.ndim
a.size
a.nbytes
a.itemsize
a.strides
a.flags
a.flags.c_contiguous
a.flags['C_CONTIGUOUS']
a.flags.writeable
a.base
a.device
z.real
z.imag
a.tolist()
a.tobytes()
a.item(3)
a.item(1, 2)
v.item(0)
a.copy()
a.copy('F')
a.view()
a.view(np.int64)
z.view(float)
f.view(np.uint8)
a.fill(3)
a.copy().resize((2, 7), refcheck=False)
a.resize((3, 4))
a.byteswap()
a.any()
a.all(axis=0)
a.argmax()
a.argmin(axis=1)
v.cumsum()
v.cumprod()
a.mean(axis=0)
a.std()
a.var(axis=1, ddof=1)
a.prod()
a.max(axis=1)
a.min()
a.trace()
a.dot(b.T)
v.repeat(2)
z.conj()
z.conjugate()
a.squeeze()
a.swapaxes(0, 1)
a.getfield(np.int32)
a.setflags(write=True)
a.to_device('cpu')
a.astype(np.float16)
a.astype(object)
len(a)
abs(a)
a.__len__()
a.__array__()
divmod(i, 3)
float(v[0])
int(v[0])
complex(v[0])
bool(t[0])
str(v[0])
repr(v[0])
f'{v[0]:.3f}'
hash(s)
v[0].item()
v[0].dtype
v[0].astype(int)
np.float64(s)
np.int32(n)
np.float32(v)
np.int64(v[0])
np.bool_(n)
np.dtype('f8').type(n)
np.complex128(s)
v[0].is_integer()
v[0].as_integer_ratio()
v[0].real
v[0].sum()
v[0].reshape(1)
v[0].round(1)
np.pi * s
a == b
a < s
(a > 0) & (b > 0)
a @ b.T
a // 2
a % 3
-a
~i
i << 2
a ** 2
2 ** a
a ** -1
a += 1
a -= b
a *= s
a /= b
a **= 2
i //= 2
i %= 3
i |= 1
max(v)
min(v)
sum(v)
sorted(v)
list(v)
tuple(v)
set(i.tolist())
any(v > 3)
all(v > 3)
list(zip(v, w))
[x * 2 for x in v]
list(map(abs, v))
list(reversed(v))
enumerate(v)
np.all([True, n > 2])
a.argpartition(1)
a.argsort(axis=0)
a.sort(axis=1)
i.choose([v, w, v, w, v, w, v, w, v, w])
a.clip(0, 1)
a.compress([True, False, True], axis=0)
c.diagonal(1, 1, 2)
a.nonzero()
v.partition(3)
a.put([0, 3], 5)
a.ravel('F')
a.reshape(4, 3)
a.reshape(3, 4, copy=False)
a.round(1)
np.sort(v).searchsorted(w, side='right')
a.sum(axis=0, dtype=np.float32)
a.take([1, 2], axis=1)
a.transpose(1, 0)
a.data
a.ctypes
(a + 1).data
a.data.tobytes()
a.data.nbytes
a.data.tolist()
a.data[1, 2]
a.data.obj is a
(a + 1).base is None
(a + 1).flags
a.flags.owndata
a.dump(new)
a.dumps()
a.tofile(new)
a.flat
a.tobytes('F')
a.tobytes(order='A')
a.view(np.float32)
z.view(float).sum()
f.view(np.uint8).sum()
np.shares_memory(a, v)
a.view('u1')
a.view(np.ndarray)
i.view(np.int16)
i.byteswap()
i.byteswap(inplace=True)
v.resize(3)
v.resize((4, 4))
a.setfield(1, np.float64)
i.getfield(np.int32, 4)
i.getfield(np.int8)
a.setflags(write=False)
v.setfield(1, np.float64)
a[:2].base is a
a.base is None
a.T.base
np.may_share_memory(a, b)
np.may_share_memory(a, a[1:])
np.shares_memory(a[:, 1:], a[:, :1])
np.shares_memory(v, v[2:])
a.item()
v.item(20)
a.mean(axis=0, keepdims=True)
a.std(axis=0, ddof=1)
a.tolist()
a.astype(complex)
z.astype(float)
a.astype(np.int8)
a.astype(int, casting='safe')
v.dot(w)
a.flatten(order='K')
a.swapaxes(0, 2)
np.format_float_scientific(s)
"""
