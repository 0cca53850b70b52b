"""Random numbers, of NumPy's generators and of its legacy functions."""

from __future__ import annotations

BIT_GENERATORS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")

# Arguments of the methods of generators and of the legacy functions, and of those that only one kind has.
PARAMETERS = {
    "beta": "1.5, 2",
    "binomial": "9, 0.4",
    "chisquare": "3",
    "choice": "5",
    "dirichlet": "[1, 2, 3]",
    "exponential": "2",
    "f": "3, 4",
    "gamma": "2, 3",
    "geometric": "0.3",
    "gumbel": "0, 1",
    "hypergeometric": "9, 8, 7",
    "laplace": "0, 1",
    "logistic": "0, 1",
    "lognormal": "0, 1",
    "logseries": "0.5",
    "multinomial": "5, [0.2, 0.8]",
    "multivariate_normal": "[0, 1], [[2, 1], [1, 2]]",
    "negative_binomial": "3, 0.4",
    "noncentral_chisquare": "3, 2",
    "noncentral_f": "3, 4, 1",
    "normal": "0, 1",
    "pareto": "3",
    "permutation": "6",
    "poisson": "3",
    "power": "3",
    "random": "",
    "rayleigh": "2",
    "standard_cauchy": "",
    "standard_exponential": "",
    "standard_gamma": "2",
    "standard_normal": "",
    "standard_t": "3",
    "triangular": "0, 1, 2",
    "uniform": "0, 2",
    "vonmises": "0, 1",
    "wald": "1, 2",
    "weibull": "2",
    "zipf": "2",
}
OF_GENERATORS = {"integers": "0, 9", "permuted": "np.arange(5)"}
LEGACY = {
    "rand": "2, 3",
    "randint": "0, 9",
    "randn": "2, 3",
    "random_sample": "",
    "ranf": "",
    "sample": "",
}
