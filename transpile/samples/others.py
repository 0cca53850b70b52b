"""Settings, checks, masked arrays, dates and files."""

CALLS = r"""
np.array([1.0, 2.0]).tolist()
np.char.upper(np.array(['a']))
np.testing.assert_allclose(a, a)
np.testing.assert_array_equal(a, a)
np.testing.assert_almost_equal(s, 2.5)
np.seterr(all='ignore')
np.set_printoptions(precision=3)
np.ma.masked_array(v, t).sum()
np.ma.masked_where(v > 2, v).mean()
np.ma.masked_invalid(hv).mean()
np.random.default_rng(0).normal(size=3)
np.emath.sqrt(v)
np.emath.sqrt(-s)
np.lib.scimath.log(v)
np.lib.array_utils.normalize_axis_index(1, 2)
np.nditer(a, flags=['multi_index'])
np.bool(n)
np.float16(s)
np.errstate(divide='ignore')
np.busday_count('2020-01-01', '2020-01-10')
np.datetime64('2020-01-01') + 1
np.testing.assert_(n > 2)
np.testing.assert_equal(n, 3)
np.testing.assert_equal(a, a)
np.testing.assert_array_equal(a, b)
np.testing.assert_array_less(a, b)
np.testing.assert_array_almost_equal(a, a)
np.testing.assert_allclose(a, b, rtol=1e-3)
np.testing.assert_approx_equal(s, 2.5)
np.testing.assert_array_max_ulp(a, a)
np.testing.assert_array_almost_equal_nulp(a, a)
np.ma.array(v, mask=t) + 1
np.ma.masked_greater(v, 3).sum()
np.ma.fix_invalid(hv)
np.ma.filled(np.ma.masked_array(v, t), 0)
np.seterr(divide='ignore')
np.getbufsize()
np.setbufsize(8192)
np.geterrcall()
np.seterrcall(None)
np.get_printoptions()
np.busday_offset('2020-01-01', 3)
np.is_busday('2020-01-01')
np.datetime_as_string(np.datetime64('2020-01-01'))
np.datetime_data('M8[D]')
np.asmatrix(a)
np.bmat([[a, b]])
np.from_dlpack(a)
np.nested_iters(a, [[0], [1]])
np.get_include()
np.frombuffer(b'12345678')
np.printoptions(precision=3)
np.save('/dev/null', a)
np.savetxt('/dev/null', a)
np.genfromtxt(['1 2', '3 4'])
np.loadtxt(['1 2', '3 4'])
np.fromfile('/dev/null')
"""

# What is not called to see: it handles files, prints pages of text, or is of records.
NOT_CALLED = {
    "numpy.fromregex": "reads a file",
    "numpy.load": "reads a file",
    "numpy.savez": "writes a file",
    "numpy.savez_compressed": "writes a file",
    "numpy.info": "prints documentation",
    "numpy.show_config": "prints how NumPy was built",
    "numpy.show_runtime": "prints how NumPy was built",
}
