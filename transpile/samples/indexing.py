"""Reads and writes of parts of arrays."""

CALLS = r"""
a[M]
a[a > 0]
a[M[:, 0]]
a[:, M[0]]
c[M[None, :, :].repeat(2, 0)]
c[:, M]
c[c[:, :, 0] > 3]
a[j]
a[:, j]
a[j[:, None], j]
a[np.ix_(j, j)]
a[np.ix_(M[:, 3], j)]
c[0, j, :]
c[:, 0, j]
c[j[:2] % 2, :, j[:2]]
c[..., j]
c[0, :, j]
c[None, 0, :, j]
a[[0, 2]]
a[[0, 2], [1, 3]]
a[[True, False, True]]
a[..., None]
a[1:, ::-1]
a[(1, 2)]
a[M.nonzero()]
a[np.where(a > 0)]
v[i - 1]
v[np.argsort(v)]
v[-1]
v[n]
v[i % 8][::2]
v[t & (v > 2)]
v[~t]
v[np.array([], dtype=int)]
a[tuple(j[:2])]
v[u % 3]
a[j[0], 1]
a[j, n]
a[n - 1, j]
a[j, 1:3]
a[1:, j]
a[M] = 0
a[M] = s
a[a > 0] = b[a > 0]
a[j] = 1
a[j] += 1
a[:, j] = 7
a[j, j] = [1, 2, 3]
a[np.ix_(j, j)] = 0
a[M[:, 0]] = 5
a[:, M[0]] *= 2
a[a > 2] -= 1
c[:, M] = 0
c[c[:, :, 0] > 3] = v[:4]
c[0, j, :] = 1
v[i - 1] = w
v[i % 3] += 1
v[[0, 2, 0]] = [1, 2, 3]
a[...] = 3
a.flat[3]
a.flat[1:4]
a.flat[3] = 5
a.flat[:] = 0
a.flat = 3
a.T.flat[3]
np.take(v, j)
np.take(a, j, axis=1)
np.take(a, [0, 5])
np.take(v, i, mode='wrap')
np.take(v, i, mode='clip')
np.take(v, j, out=np.empty(3))
v.take(j)
a.take(n)
np.take_along_axis(a, np.argsort(a, axis=1), axis=1)
np.take_along_axis(a, np.argmax(a, axis=1)[:, None], axis=1)
np.take_along_axis(a, np.argmax(a, axis=1, keepdims=True), axis=1)
np.put_along_axis(a, np.argmax(a, axis=1)[:, None], 99, axis=1)
np.put(v, j, 5)
np.put(v, j, w)
np.put(v, [20], 1, mode='clip')
v.put(j, 3)
np.putmask(a, M, 0)
np.putmask(v, v > 2, w)
np.place(a, M, [1, 2])
np.choose(j, [j, j * 2, j * 3])
np.choose(i % 3, [v, w, 5])
np.choose(i, [v, w], mode='wrap')
np.choose(i, [v, w], mode='clip')
j.choose([j, j, j])
np.compress([True, False, True], a, axis=0)
np.compress(t, v)
v.compress(t)
np.extract(M, a)
np.select([v > 3, v < 2], [v, -v])
np.select([v > 3, v < 2], [v, -v], default=7)
np.piecewise(v, [v < 2, v >= 2], [-1, 1])
np.piecewise(v, [v < 2, v >= 2], [lambda x: -x, lambda x: x * 2])
np.where(M)
np.where(M, a, b)
np.where(v > 2)
np.where(v > 2, 1, 0)
np.nonzero(a)
a.nonzero()
np.argwhere(M)
np.flatnonzero(v > 2)
np.diagonal(c, 0, 1, 2)
c.diagonal(axis1=1, axis2=2)
np.unravel_index(5, (3, 4))
np.unravel_index(i, (3, 4))
np.unravel_index(i, (3, 4), order='F')
np.ravel_multi_index((j, j), (3, 4))
np.ravel_multi_index((j, j), (3, 4), mode='wrap')
np.ravel_multi_index((j, j), (3, 4), order='F')
np.searchsorted(v, w)
np.searchsorted(np.sort(v), s, side='right')
np.searchsorted(v, w, sorter=np.argsort(v))
v.searchsorted(3.0)
np.copyto(a, b)
np.copyto(a, b, where=M)
np.copyto(a, 1, casting='unsafe')
np.ndenumerate(a)
[x for x in np.ndindex(2, 3)]
[x for x in np.nditer(a)]
np.lexsort((v, i))
a[M, None]
a[None, M]
c[M.T[:2, :3]]
c[M[:, :2].T]
c[[0, 1], [2, 0]]
c[[[0], [1]], [2, 0], 1]
c[:, [0, 2], [1, 1]]
c[[1], :, [0, 2]]
c[..., [True, False, True, False]]
c[[True, False]]
c[np.array(1), j]
c[1, ..., j]
c[:, None, j]
a[np.array(True)]
a[True]
a[False]
a[[]]
a[M[:, 0], 1:]
a[j, M[0][:3].nonzero()[0][:1]]
v[np.uint8(3)]
v[np.array([[1, 2], [3, 4]])]
v[-i % 8]
a[M] = v[:7]
a[M] = v[:3]
a[M] += v[:7]
a[None, M] = 1
a[j, :] = b[::-1]
a[:, [0, 0, 1]] = np.arange(3)
c[M.T[:2, :3]] = 5
c[0, [0, 2], 1:3] = 7
c[..., j] = c[..., j[::-1]]
c[[1, 0]] = c
a[np.array([0, 5])] = 1
a[1:2, M[0]] = 0
v[j] = v[j[::-1]]
v[i % 8] *= 2
v[i % 8] -= w
a[np.array(True)] = 4
np.where(M.T)
np.where(c > 5)
np.nonzero(v)
np.nonzero(s)
np.argwhere(c > 20)
np.argwhere(v)
np.flatnonzero(M)
np.unique(a)
np.unique(a, return_index=True, return_inverse=True, return_counts=True)
np.unique(I, axis=-1)
np.unique(hv, equal_nan=False)
np.unique(z)
np.take(c, j[:2], axis=-1)
np.take(c, [[0, 1], [1, 0]], axis=1)
np.take(a, 20)
np.put(a, [[0, 5], [3, 2]], [9, 8])
np.put(v, [-1, 20], 1, mode='wrap')
np.compress(t[:4], a, axis=1)
np.compress([1, 0, 1], c, axis=1, out=np.empty((2, 2, 4)))
np.choose(M[:2].astype(int), [a[:2], b[:2]])
np.choose(j, [v, w])
np.select([M, ~M], [a, b], s)
np.extract(a > 0, b)
np.put_along_axis(c, np.argsort(c, axis=1), c[:, ::-1], axis=1)
np.place(v, v > 2, w)
np.ix_(M[:, 3], j)
"""
