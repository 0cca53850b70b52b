"""What the standard says that functions give, other than elementwise ones: a call, and the dtype and elements of its result, or of each."""

A = "asarray([[1., 2., 3.], [4., 5., 6.]])"
N = "asarray([[3, 1, 2], [9, 7, 8]])"
V = "asarray([3, 1, 2, 1])"
S = "asarray([[4., 1.], [1., 3.]])"
T = "asarray([True, False, True])"
F32 = "dtype=float32"
inf, nan = float("inf"), float("nan")

# Each result is (dtype, elements); None instead of elements stands for any, and a shape is given in their place.
ROWS: dict[str, list[tuple[str, object]]] = {
    # -- creation
    "arange": [
        ("arange(4)", ("int64", [0, 1, 2, 3])),
        ("arange(1., 4.)", ("float64", [1, 2, 3])),
        ("arange(7, 1, -2)", ("int64", [7, 5, 3])),
        (f"arange(0, 5, 2, {F32})", ("float32", [0, 2, 4])),
        ("arange(3, 3)", ("int64", [])),
    ],
    "asarray": [
        ("asarray(True)", ("bool", True)),
        ("asarray([1, 2])", ("int64", [1, 2])),
        ("asarray([1, 2.5])", ("float64", [1, 2.5])),
        ("asarray([[1j], [2]])", ("complex128", [[1j], [2]])),
        ("asarray([1, 2], dtype=int8)", ("int8", [1, 2])),
        (f"asarray({A}, copy=True)", ("float64", [[1, 2, 3], [4, 5, 6]])),
    ],
    "empty": [("empty((2, 3))", ("float64", (2, 3))), ("empty(4, dtype=int16)", ("int16", (4,)))],
    "empty_like": [(f"empty_like({A})", ("float64", (2, 3))), (f"empty_like({A}, dtype=bool)", ("bool", (2, 3)))],
    "eye": [
        ("eye(2)", ("float64", [[1, 0], [0, 1]])),
        ("eye(2, 3, k=1, dtype=int32)", ("int32", [[0, 1, 0], [0, 0, 1]])),
        ("eye(3, 2, k=-1)", ("float64", [[0, 0], [1, 0], [0, 1]])),
        ("eye(2, k=9)", ("float64", [[0, 0], [0, 0]])),
    ],
    "from_dlpack": [(f"from_dlpack({A})", ("float64", [[1, 2, 3], [4, 5, 6]]))],
    "full": [
        ("full((2, 2), 7)", ("int64", [[7, 7], [7, 7]])),
        ("full(2, 1.5)", ("float64", [1.5, 1.5])),
        ("full((), True)", ("bool", True)),
        ("full(2, 3, dtype=complex64)", ("complex64", [3, 3])),
    ],
    "full_like": [(f"full_like({A}, 2)", ("float64", [[2] * 3] * 2)), (f"full_like({A}, 2, dtype=uint8)", ("uint8", [[2] * 3] * 2))],
    "linspace": [
        ("linspace(0, 1, 5)", ("float64", [0, 0.25, 0.5, 0.75, 1])),
        ("linspace(0, 1, 4, endpoint=False)", ("float64", [0, 0.25, 0.5, 0.75])),
        (f"linspace(2, 0, 3, {F32})", ("float32", [2, 1, 0])),
        ("linspace(0, 1j, 3)", ("complex128", [0, 0.5j, 1j])),
        ("linspace(1, 5, 1)", ("float64", [1])),
    ],
    "meshgrid": [
        ("meshgrid(asarray([1, 2, 3]), asarray([4, 5]))", [("int64", [[1, 2, 3]] * 2), ("int64", [[4] * 3, [5] * 3])]),
        ("meshgrid(asarray([1., 2.]), asarray([4., 5.]), indexing='ij')", [("float64", [[1, 1], [2, 2]]), ("float64", [[4, 5], [4, 5]])]),
    ],
    "ones": [("ones((1, 2))", ("float64", [[1, 1]])), ("ones(2, dtype=int8)", ("int8", [1, 1]))],
    "ones_like": [(f"ones_like({N})", ("int64", [[1] * 3] * 2)), (f"ones_like({N}, {F32})", ("float32", [[1] * 3] * 2))],
    "tril": [(f"tril({A})", ("float64", [[1, 0, 0], [4, 5, 0]])), (f"tril({A}, k=-1)", ("float64", [[0, 0, 0], [4, 0, 0]]))],
    "triu": [(f"triu({A})", ("float64", [[1, 2, 3], [0, 5, 6]])), (f"triu({N}, k=1)", ("int64", [[0, 1, 2], [0, 0, 8]]))],
    "zeros": [("zeros((2, 0))", ("float64", [[], []])), ("zeros((), dtype=bool)", ("bool", False))],
    "zeros_like": [(f"zeros_like({A})", ("float64", [[0] * 3] * 2)), (f"zeros_like({A}, dtype=complex64)", ("complex64", [[0] * 3] * 2))],
    # -- data types
    "astype": [
        ("astype(asarray([1.9, -1.9]), int32)", ("int32", [1, -1])),
        ("astype(asarray([0, 2]), bool)", ("bool", [False, True])),
        (f"astype({T}, float32)", ("float32", [1, 0, 1])),
        (f"astype({A}, float64, copy=False)", ("float64", [[1, 2, 3], [4, 5, 6]])),
    ],
    "can_cast": [("can_cast(int8, int16)", True), ("can_cast(int16, int8)", False), ("can_cast(float32, complex64)", True)],
    "finfo": [("finfo(float32).bits", 32), ("finfo(float64).eps", 2.0**-52), ("finfo(complex64).bits", 32)],
    "iinfo": [("iinfo(int8).max", 127), ("iinfo(uint16).min", 0), ("iinfo(int64).bits", 64)],
    "isdtype": [
        ("isdtype(float32, 'real floating')", True), ("isdtype(bool, 'numeric')", False),
        ("isdtype(uint8, ('bool', 'unsigned integer'))", True), ("isdtype(int8, int8)", True),
    ],
    "result_type": [
        ("result_type(int8, uint8) == int16", True), ("result_type(float32, complex128) == complex128", True),
        (f"result_type({V}, int8) == int64", True), ("result_type(float32, 1) == float32", True),
    ],
    # -- indexing
    "take": [
        (f"take({A}, asarray([2, 0]), axis=1)", ("float64", [[3, 1], [6, 4]])),
        (f"take({A}, asarray([-1]), axis=0)", ("float64", [[4, 5, 6]])),
        (f"take({V}, asarray([], dtype=int64), axis=0)", ("int64", [])),
    ],
    "take_along_axis": [
        (f"take_along_axis({N}, asarray([[1], [2]]), axis=1)", ("int64", [[1], [8]])),
        (f"take_along_axis({N}, asarray([[1, 0, -1]]), axis=0)", ("int64", [[9, 1, 8]])),
    ],
    # -- products
    "matmul": [
        (f"matmul({A}, asarray([1., 0., 2.]))", ("float64", [7, 16])),
        (f"matmul({S}, {A})", ("float64", [[8, 13, 18], [13, 17, 21]])),
        ("matmul(asarray([1, 2]), asarray([3, 4]))", ("int64", 11)),
        ("matmul(ones((3, 1, 2, 2)), ones((5, 2, 4)))", ("float64", [[[[2] * 4] * 2] * 5] * 3)),
        ("matmul(ones((2, 0)), ones((0, 2)))", ("float64", [[0, 0], [0, 0]])),
    ],
    "matrix_transpose": [(f"matrix_transpose({A})", ("float64", [[1, 4], [2, 5], [3, 6]])), ("matrix_transpose(ones((2, 1, 3)))", ("float64", [[[1]] * 3] * 2))],
    "tensordot": [
        (f"tensordot({A}, {A}, axes=2)", ("float64", 91)),
        (f"tensordot({A}, {A}, axes=((1,), (1,)))", ("float64", [[14, 32], [32, 77]])),
        ("tensordot(asarray([1, 2]), asarray([3, 4]), axes=0)", ("int64", [[3, 4], [6, 8]])),
    ],
    "vecdot": [
        (f"vecdot({A}, {A})", ("float64", [14, 77])),
        (f"vecdot({A}, {A}, axis=0)", ("float64", [17, 29, 45])),
        ("vecdot(asarray([1j, 2.]), asarray([1j, 1.]))", ("complex128", 3)),
    ],
    # -- manipulation
    "broadcast_arrays": [("broadcast_arrays(asarray([1, 2]), asarray([[3.], [4.]]))", [("int64", [[1, 2]] * 2), ("float64", [[3, 3], [4, 4]])])],
    "broadcast_to": [("broadcast_to(asarray([1, 2]), (2, 2))", ("int64", [[1, 2]] * 2)), ("broadcast_to(asarray(3.), (0, 2))", ("float64", (0, 2)))],
    "concat": [
        (f"concat([{A}, {A}], axis=1)", ("float64", [[1, 2, 3] * 2, [4, 5, 6] * 2])),
        (f"concat(({N}, {A}))", ("float64", [[3, 1, 2], [9, 7, 8], [1, 2, 3], [4, 5, 6]])),
        (f"concat([{N}, {V}], axis=None)", ("int64", [3, 1, 2, 9, 7, 8, 3, 1, 2, 1])),
    ],
    "expand_dims": [(f"expand_dims({T}, axis=0)", ("bool", [[True, False, True]])), (f"expand_dims({T}, axis=-1)", ("bool", [[True], [False], [True]]))],
    "flip": [
        (f"flip({A})", ("float64", [[6, 5, 4], [3, 2, 1]])), (f"flip({A}, axis=0)", ("float64", [[4, 5, 6], [1, 2, 3]])),
        (f"flip({A}, axis=(-1,))", ("float64", [[3, 2, 1], [6, 5, 4]])),
    ],
    "moveaxis": [("moveaxis(ones((2, 3, 4)), 0, -1)", ("float64", (3, 4, 2))), ("moveaxis(ones((2, 3, 4)), (0, 1), (2, 0))", ("float64", (3, 4, 2)))],
    "permute_dims": [("permute_dims(ones((2, 3, 4)), (2, 0, 1))", ("float64", (4, 2, 3))), (f"permute_dims({A}, (1, 0))", ("float64", [[1, 4], [2, 5], [3, 6]]))],
    "repeat": [
        ("repeat(asarray([1, 2]), 2)", ("int64", [1, 1, 2, 2])),
        (f"repeat({A}, asarray([1, 2]), axis=0)", ("float64", [[1, 2, 3], [4, 5, 6], [4, 5, 6]])),
        (f"repeat({A}, 0, axis=1)", ("float64", (2, 0))),
    ],
    "reshape": [
        (f"reshape({A}, (3, 2))", ("float64", [[1, 2], [3, 4], [5, 6]])), (f"reshape({A}, (-1,))", ("float64", [1, 2, 3, 4, 5, 6])),
        ("reshape(asarray(4), (1, 1))", ("int64", [[4]])), (f"reshape({A}, (6,), copy=True)", ("float64", [1, 2, 3, 4, 5, 6])),
    ],
    "roll": [
        (f"roll({V}, 1)", ("int64", [1, 3, 1, 2])), (f"roll({A}, -1, axis=1)", ("float64", [[2, 3, 1], [5, 6, 4]])),
        (f"roll({A}, (1, 1), axis=(0, 1))", ("float64", [[6, 4, 5], [3, 1, 2]])), (f"roll({A}, 1)", ("float64", [[6, 1, 2], [3, 4, 5]])),
    ],
    "squeeze": [("squeeze(ones((1, 2, 1)), axis=0)", ("float64", (2, 1))), ("squeeze(ones((1, 2, 1)), axis=(0, -1))", ("float64", [1, 1]))],
    "stack": [
        (f"stack([{T}, {T}])", ("bool", [[True, False, True]] * 2)),
        ("stack((asarray([1, 2]), asarray([3., 4.])), axis=1)", ("float64", [[1, 3], [2, 4]])),
    ],
    "tile": [("tile(asarray([1, 2]), (2, 2))", ("int64", [[1, 2, 1, 2]] * 2)), (f"tile({A}, (2,))", ("float64", [[1, 2, 3] * 2, [4, 5, 6] * 2]))],
    "unstack": [
        (f"unstack({A})", [("float64", [1, 2, 3]), ("float64", [4, 5, 6])]),
        (f"unstack({A}, axis=1)", [("float64", [1, 4]), ("float64", [2, 5]), ("float64", [3, 6])]),
    ],
    # -- searching, sets, sorting
    "argmax": [(f"argmax({N})", ("int64", 3)), (f"argmax({N}, axis=1)", ("int64", [0, 0])), (f"argmax({V}, keepdims=True)", ("int64", [0]))],
    "argmin": [(f"argmin({N})", ("int64", 1)), (f"argmin({V})", ("int64", 1)), (f"argmin({A}, axis=0, keepdims=True)", ("int64", [[0, 0, 0]]))],
    "count_nonzero": [
        (f"count_nonzero({T})", ("int64", 2)), ("count_nonzero(asarray([[0, 1], [2, 0]]), axis=0)", ("int64", [1, 1])),
        ("count_nonzero(asarray([0., nan, -0.]), keepdims=True)", ("int64", [1])),
    ],
    "nonzero": [(f"nonzero({T})", [("int64", [0, 2])]), ("nonzero(asarray([[0, 1], [2, 0]]))", [("int64", [0, 1]), ("int64", [1, 0])])],
    "searchsorted": [
        ("searchsorted(asarray([1., 2., 3.]), asarray([0., 2., 9.]))", ("int64", [0, 1, 3])),
        ("searchsorted(asarray([1., 2., 3.]), asarray([[2.]]), side='right')", ("int64", [[2]])),
        (f"searchsorted({V}, asarray([1, 3]), sorter=asarray([1, 3, 2, 0]))", ("int64", [0, 3])),
    ],
    "where": [
        (f"where({T}, asarray([1, 2, 3]), asarray([4., 5., 6.]))", ("float64", [1, 5, 3])),
        (f"where({T}, asarray(1), asarray([[0], [9]]))", ("int64", [[1, 0, 1], [1, 9, 1]])),
        (f"where({T}, asarray([1, 2, 3], dtype=int8), 0)", ("int8", [1, 0, 3])),
    ],
    "unique_all": [(f"unique_all({V})", [("int64", [1, 2, 3]), ("int64", [1, 2, 0]), ("int64", [2, 0, 1, 0]), ("int64", [2, 1, 1])])],
    "unique_counts": [(f"unique_counts({V})", [("int64", [1, 2, 3]), ("int64", [2, 1, 1])]), ("unique_counts(asarray([nan, nan]))", [("float64", [nan, nan]), ("int64", [1, 1])])],
    "unique_inverse": [(f"unique_inverse({N})", [("int64", [1, 2, 3, 7, 8, 9]), ("int64", [[2, 0, 1], [5, 3, 4]])])],
    "unique_values": [(f"unique_values({V})", ("int64", {1, 2, 3})), ("unique_values(asarray([], dtype=float32))", ("float32", []))],
    "argsort": [
        (f"argsort({V})", ("int64", [1, 3, 2, 0])), (f"argsort({V}, descending=True)", ("int64", [0, 2, 1, 3])),
        (f"argsort({N}, axis=0)", ("int64", [[0, 0, 0], [1, 1, 1]])), (f"argsort({V}, stable=True)", ("int64", [1, 3, 2, 0])),
    ],
    "sort": [
        (f"sort({V})", ("int64", [1, 1, 2, 3])), (f"sort({N}, axis=-1)", ("int64", [[1, 2, 3], [7, 8, 9]])),
        (f"sort({V}, stable=False)", ("int64", [1, 1, 2, 3])), (f"sort({V}, descending=True)", ("int64", [3, 2, 1, 1])),
    ],
    # -- statistics and utilities
    "cumulative_prod": [
        (f"cumulative_prod({V})", ("int64", [3, 3, 6, 6])), (f"cumulative_prod({A}, axis=1)", ("float64", [[1, 2, 6], [4, 20, 120]])),
        (f"cumulative_prod({V}, include_initial=True)", ("int64", [1, 3, 3, 6, 6])), (f"cumulative_prod({V}, {F32})", ("float32", [3, 3, 6, 6])),
    ],
    "cumulative_sum": [
        (f"cumulative_sum({V})", ("int64", [3, 4, 6, 7])), (f"cumulative_sum({A}, axis=0, include_initial=True)", ("float64", [[0, 0, 0], [1, 2, 3], [5, 7, 9]])),
        ("cumulative_sum(asarray([1, 2], dtype=int8))", ("int64", [1, 3])), ("cumulative_sum(asarray([1, 2], dtype=uint8))", ("uint64", [1, 3])),
        ("cumulative_sum(asarray([1, 2], dtype=float32))", ("float32", [1, 3])),
    ],
    "max": [
        (f"max({A})", ("float64", 6)), (f"max({N}, axis=0)", ("int64", [9, 7, 8])), (f"max({A}, axis=(0, 1), keepdims=True)", ("float64", [[6]])),
        ("max(asarray([1., nan]))", ("float64", nan)),
    ],
    "min": [(f"min({A})", ("float64", 1)), (f"min({N}, axis=1, keepdims=True)", ("int64", [[1], [7]])), ("min(asarray([nan, 1.]))", ("float64", nan))],
    "mean": [
        (f"mean({A})", ("float64", 3.5)), (f"mean({A}, axis=1)", ("float64", [2, 5])), (f"mean(asarray([1, 2], {F32}), keepdims=True)", ("float32", [1.5])),
        ("mean(asarray([1., nan]))", ("float64", nan)), ("mean(asarray([1j, 1]))", ("complex128", 0.5 + 0.5j)),
    ],
    "prod": [
        (f"prod({A})", ("float64", 720)), (f"prod({N}, axis=1)", ("int64", [6, 504])), ("prod(asarray([]))", ("float64", 1)),
        ("prod(asarray([2, 3], dtype=int16))", ("int64", 6)), ("prod(asarray([2, 3], dtype=uint8))", ("uint64", 6)), (f"prod({V}, {F32})", ("float32", 6)),
    ],
    "std": [(f"std({A}, axis=0)", ("float64", [1.5] * 3)), (f"std({A}, axis=0, correction=1)", ("float64", [1.5 * 2**0.5] * 3)), ("std(asarray([2.]), correction=0.)", ("float64", 0))],
    "sum": [
        (f"sum({A})", ("float64", 21)), (f"sum({A}, axis=-1, keepdims=True)", ("float64", [[6], [15]])), ("sum(zeros((0, 2)), axis=0)", ("float64", [0, 0])),
        (f"sum({T})", ("int64", 2)), ("sum(asarray([100, 100], dtype=int8))", ("int64", 200)), ("sum(asarray([200, 100], dtype=uint8))", ("uint64", 300)),
        ("sum(asarray([1, 2], dtype=complex64))", ("complex64", 3)), (f"sum({A}, axis=())", ("float64", [[1, 2, 3], [4, 5, 6]])),
        (f"sum({V}, {F32})", ("float32", 7)),
    ],
    "var": [(f"var({A})", ("float64", 35 / 12)), (f"var({A}, axis=1, correction=1.)", ("float64", [1, 1])), (f"var({A}, axis=0, keepdims=True)", ("float64", [[2.25] * 3]))],
    "all": [(f"all({T})", ("bool", False)), ("all(zeros((0, 2)), axis=0)", ("bool", [True, True])), (f"all({A}, axis=1, keepdims=True)", ("bool", [[True], [True]]))],
    "any": [(f"any({T})", ("bool", True)), ("any(asarray([]))", ("bool", False)), ("any(asarray([[0, nan], [0, 0]]), axis=1)", ("bool", [True, False]))],
    "diff": [
        (f"diff({V})", ("int64", [-2, 1, -1])), (f"diff({A}, axis=0)", ("float64", [[3, 3, 3]])), (f"diff({V}, n=2)", ("int64", [3, -2])),
        (f"diff({V}, prepend=asarray([0]), append=asarray([5]))", ("int64", [3, -2, 1, -1, 4])),
    ],
    # -- the extension for linear algebra
    "linalg.cholesky": [(f"linalg.cholesky({S})", ("float64", [[2, 0], [0.5, 2.75**0.5]])), (f"linalg.cholesky({S}, upper=True)", ("float64", [[2, 0.5], [0, 2.75**0.5]]))],
    "linalg.cross": [("linalg.cross(asarray([1, 0, 0]), asarray([0, 1, 0]))", ("int64", [0, 0, 1])), ("linalg.cross(ones((3, 2)), ones((3, 1)), axis=0)", ("float64", [[0, 0]] * 3))],
    "linalg.det": [(f"linalg.det({S})", ("float64", 11)), (f"linalg.det(stack([{S}, eye(2)]))", ("float64", [11, 1]))],
    "linalg.diagonal": [(f"linalg.diagonal({A})", ("float64", [1, 5])), (f"linalg.diagonal({A}, offset=1)", ("float64", [2, 6])), ("linalg.diagonal(ones((2, 3, 3)), offset=-2)", ("float64", [[1], [1]]))],
    "linalg.eigh": [("linalg.eigh(asarray([[2., 0.], [0., 1.]])).eigenvalues", ("float64", [1, 2])), ("linalg.eigh(asarray([[2., 0.], [0., 1.]]))[1] ** 2", ("float64", [[0, 1], [1, 0]]))],
    "linalg.eigvalsh": [("linalg.eigvalsh(asarray([[2., 1.], [1., 2.]]))", ("float64", [1, 3])), ("linalg.eigvalsh(asarray([[1, 1j], [-1j, 1]], dtype=complex64))", ("float32", [0, 2]))],
    "linalg.inv": [("linalg.inv(asarray([[2., 0.], [0., 4.]]))", ("float64", [[0.5, 0], [0, 0.25]])), ("linalg.inv(ones((2, 1, 1)))", ("float64", [[[1]], [[1]]]))],
    "linalg.matmul": [(f"linalg.matmul({S}, asarray([1., 1.]))", ("float64", [5, 4]))],
    "linalg.matrix_norm": [
        (f"linalg.matrix_norm({S})", ("float64", 27**0.5)), (f"linalg.matrix_norm({S}, ord=1)", ("float64", 5)), (f"linalg.matrix_norm({S}, ord=inf, keepdims=True)", ("float64", [[5]])),
        (f"linalg.matrix_norm({S}, ord='nuc')", ("float64", 7)), (f"linalg.matrix_norm({A}, ord=-inf)", ("float64", 6)), ("linalg.matrix_norm(ones((2, 1, 1)), ord=2)", ("float64", [1, 1])),
    ],
    "linalg.matrix_power": [(f"linalg.matrix_power({S}, 2)", ("float64", [[17, 7], [7, 10]])), (f"linalg.matrix_power({S}, 0)", ("float64", [[1, 0], [0, 1]])), ("linalg.matrix_power(2 * eye(2), -1)", ("float64", [[0.5, 0], [0, 0.5]]))],
    "linalg.matrix_rank": [("linalg.matrix_rank(ones((3, 3)))", ("int64", 1)), ("linalg.matrix_rank(stack([eye(2), zeros((2, 2))]))", ("int64", [2, 0])), (f"linalg.matrix_rank({S}, rtol=0.9)", ("int64", 1))],
    "linalg.matrix_transpose": [(f"linalg.matrix_transpose({A})", ("float64", [[1, 4], [2, 5], [3, 6]]))],
    "linalg.outer": [("linalg.outer(asarray([1, 2]), asarray([3., 4.]))", ("float64", [[3, 4], [6, 8]]))],
    "linalg.pinv": [("linalg.pinv(asarray([[2., 0.], [0., 0.]]))", ("float64", [[0.5, 0], [0, 0]])), ("linalg.pinv(ones((2, 3)), rtol=1e-9)", ("float64", [[1 / 6, 1 / 6]] * 3))],
    "linalg.qr": [
        (f"matmul(*linalg.qr({A}))", ("float64", [[1, 2, 3], [4, 5, 6]])), (f"linalg.qr({A}, mode='complete')", [("float64", (2, 2)), ("float64", (2, 3))]),
        ("linalg.qr(ones((3, 2))).R", ("float64", (2, 2))),
    ],
    "linalg.slogdet": [("linalg.slogdet(-eye(3))", [("float64", -1), ("float64", 0)]), ("linalg.slogdet(zeros((2, 2)))", [("float64", 0), ("float64", -inf)])],
    "linalg.solve": [(f"linalg.solve({S}, asarray([5., 4.]))", ("float64", [1, 1])), (f"linalg.solve({S}, {S})", ("float64", [[1, 0], [0, 1]])), ("linalg.solve(ones((2, 1, 1)), ones((1, 3)))", ("float64", [[[1] * 3]] * 2))],
    "linalg.svd": [(f"linalg.svd({A})", [("float64", (2, 2)), ("float64", (2,)), ("float64", (3, 3))]), (f"linalg.svd({A}, full_matrices=False)", [("float64", (2, 2)), ("float64", (2,)), ("float64", (2, 3))])],
    "linalg.svdvals": [("linalg.svdvals(asarray([[0., 2.], [1., 0.]]))", ("float64", [2, 1])), ("linalg.svdvals(ones((2, 1, 1), dtype=complex64))", ("float32", [[1], [1]]))],
    "linalg.tensordot": [(f"linalg.tensordot({A}, {A}, axes=2)", ("float64", 91))],
    "linalg.trace": [(f"linalg.trace({A})", ("float64", 6)), (f"linalg.trace({N}, offset=1)", ("int64", 9)), ("linalg.trace(asarray([[1]], dtype=int8))", ("int64", 1)), (f"linalg.trace({A}, {F32})", ("float32", 6))],
    "linalg.vecdot": [(f"linalg.vecdot({A}, asarray([1., 1., 1.]))", ("float64", [6, 15]))],
    "linalg.vector_norm": [
        ("linalg.vector_norm(asarray([3., 4.]))", ("float64", 5)), (f"linalg.vector_norm({A}, axis=1, ord=1)", ("float64", [6, 15])), (f"linalg.vector_norm({A}, ord=inf, keepdims=True)", ("float64", [[6]])),
        ("linalg.vector_norm(asarray([3., 0.]), ord=0)", ("float64", 1)), ("linalg.vector_norm(asarray([3j, 4], dtype=complex64))", ("float32", 5)),
        (f"linalg.vector_norm({A}, axis=(0, 1))", ("float64", 91**0.5)), ("linalg.vector_norm(asarray([2., -1.]), ord=-inf)", ("float64", 1)),
    ],
    # -- the extension for Fourier transforms
    "fft.fft": [
        ("fft.fft(asarray([1, 0, 0, 0], dtype=complex64))", ("complex64", [1, 1, 1, 1])), ("fft.fft(asarray([1., 2.]) + 0j, n=4)", ("complex128", [3, 1 - 2j, -1, 1 + 2j])),
        ("fft.fft(ones((2, 3)) + 0j, axis=0, norm='ortho')", ("complex128", [[2**0.5] * 3, [0] * 3])),
    ],
    "fft.ifft": [("fft.ifft(asarray([4, 0, 0, 0], dtype=complex128))", ("complex128", [1] * 4)), ("fft.ifft(asarray([4, 0, 0, 0], dtype=complex64), norm='forward')", ("complex64", [4] * 4))],
    "fft.fftn": [("fft.fftn(ones((2, 2)) + 0j)", ("complex128", [[4, 0], [0, 0]])), ("fft.fftn(ones((2, 2)) + 0j, s=(1,), axes=(1,))", ("complex128", [[1], [1]]))],
    "fft.ifftn": [("fft.ifftn(asarray([[4, 0], [0, 0]]) + 0j)", ("complex128", [[1, 1], [1, 1]]))],
    "fft.rfft": [("fft.rfft(asarray([1., 2., 3., 4.]))", ("complex128", [10, -2 + 2j, -2])), (f"fft.rfft(ones(3, {F32}))", ("complex64", [3, 0]))],
    "fft.irfft": [("fft.irfft(asarray([10, -2 + 2j, -2]))", ("float64", [1, 2, 3, 4])), ("fft.irfft(asarray([3, 0], dtype=complex64), n=3)", ("float32", [1, 1, 1]))],
    "fft.rfftn": [("fft.rfftn(ones((2, 3)))", ("complex128", [[6, 0], [0, 0]]))],
    "fft.irfftn": [("fft.irfftn(asarray([[6, 0], [0, 0]]) + 0j, s=(2, 3), axes=(0, 1))", ("float64", [[1] * 3] * 2))],
    "fft.hfft": [("fft.hfft(asarray([1, 0, 0]) + 0j)", ("float64", [1] * 4))],
    "fft.ihfft": [("fft.ihfft(asarray([4., 0., 0., 0.]))", ("complex128", [1] * 3))],
    "fft.fftfreq": [("fft.fftfreq(4)", ("float64", [0, 0.25, -0.5, -0.25])), ("fft.fftfreq(3, d=1 / 3)", ("float64", [0, 1, -1]))],
    "fft.rfftfreq": [("fft.rfftfreq(4)", ("float64", [0, 0.25, 0.5])), ("fft.rfftfreq(3, d=1 / 3)", ("float64", [0, 1]))],
    "fft.fftshift": [("fft.fftshift(asarray([0., 1., 2., -2., -1.]))", ("float64", [-2, -1, 0, 1, 2])), ("fft.fftshift(asarray([[0., 1.], [2., 3.]]), axes=0)", ("float64", [[2, 3], [0, 1]]))],
    "fft.ifftshift": [("fft.ifftshift(asarray([-2., -1., 0., 1., 2.]))", ("float64", [0, 1, 2, -2, -1]))],
}  # fmt: skip
