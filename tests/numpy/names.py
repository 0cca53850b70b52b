"""What the Array API standard, version 2024.12, asks of a namespace."""


def listed(text: str) -> list[str]:
    return text.split()


CREATION = listed(
    """arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones ones_like tril triu zeros zeros_like"""
)
DTYPES = listed("""astype can_cast finfo iinfo isdtype result_type""")
ELEMENTWISE = listed("""abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_invert bitwise_left_shift bitwise_or bitwise_right_shift
    bitwise_xor ceil clip conj copysign cos cosh divide equal exp expm1 floor floor_divide greater greater_equal hypot imag isfinite isinf
    isnan less less_equal log log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor maximum minimum multiply negative
    nextafter not_equal positive pow real reciprocal remainder round sign signbit sin sinh sqrt square subtract tan tanh trunc""")
INDEXING = listed("""take take_along_axis""")
LINEAR_ALGEBRA = listed("""matmul matrix_transpose tensordot vecdot""")
MANIPULATION = listed("""broadcast_arrays broadcast_to concat expand_dims flip moveaxis permute_dims repeat reshape roll squeeze stack tile
    unstack""")
SEARCHING = listed("""argmax argmin count_nonzero nonzero searchsorted where""")
SETS = listed("""unique_all unique_counts unique_inverse unique_values""")
SORTING = listed("""argsort sort""")
STATISTICS = listed("""cumulative_prod cumulative_sum max mean min prod std sum var""")
UTILITIES = listed("""all any diff""")
LINALG = listed("""cholesky cross det diagonal eigh eigvalsh inv matmul matrix_norm matrix_power matrix_rank matrix_transpose outer pinv qr slogdet
    solve svd svdvals tensordot trace vecdot vector_norm""")
FFT = listed("""fft fftfreq fftn fftshift hfft ifft ifftn ifftshift ihfft irfft irfftn rfft rfftfreq rfftn""")

FUNCTIONS = [
    *CREATION, *DTYPES, *ELEMENTWISE, *INDEXING, *LINEAR_ALGEBRA, *MANIPULATION, *SEARCHING, *SETS, *SORTING, *STATISTICS, *UTILITIES,
    *(f"linalg.{name}" for name in LINALG), *(f"fft.{name}" for name in FFT),
]  # fmt: skip
CONSTANTS = ["e", "inf", "nan", "newaxis", "pi"]

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTEGERS = [*SIGNED, *UNSIGNED]
REAL_FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
FLOATS = [*REAL_FLOATS, *COMPLEX]
REALS = [*INTEGERS, *REAL_FLOATS]
NUMBERS = [*INTEGERS, *FLOATS]
ALL_DTYPES = ["bool", *NUMBERS]
