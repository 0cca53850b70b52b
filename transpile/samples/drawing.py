"""Random numbers, of NumPy's generators and of its legacy functions."""

_MAKE = """
np.random.default_rng(n).random(3)
np.random.Generator(np.random.PCG64(n)).random()
np.random.Generator(np.random.PCG64DXSM(n)).normal(size=3)
np.random.Generator(np.random.MT19937(n)).integers(0, 9, 4)
np.random.Generator(np.random.Philox(n)).uniform(size=2)
np.random.Generator(np.random.SFC64(n)).standard_normal(3)
np.random.RandomState(n).rand(3)
"""

# Arguments of the methods of generators, and of the legacy functions.
_PARAMETERS = {
    "beta": "1.5, 2",
    "binomial": "9, 0.4",
    "bytes": "4",
    "chisquare": "3",
    "choice": "5",
    "dirichlet": "[1, 2, 3]",
    "exponential": "2",
    "f": "3, 4",
    "gamma": "2, 3",
    "geometric": "0.3",
    "gumbel": "0, 1",
    "hypergeometric": "9, 8, 7",
    "integers": "0, 9",
    "laplace": "0, 1",
    "logistic": "0, 1",
    "lognormal": "0, 1",
    "logseries": "0.5",
    "multinomial": "5, [0.2, 0.8]",
    "multivariate_hypergeometric": "[3, 4], 5",
    "multivariate_normal": "[0, 1], [[2, 1], [1, 2]]",
    "negative_binomial": "3, 0.4",
    "noncentral_chisquare": "3, 2",
    "noncentral_f": "3, 4, 1",
    "normal": "0, 1",
    "pareto": "3",
    "permutation": "6",
    "permuted": "v",
    "poisson": "3",
    "power": "3",
    "rand": "2, 3",
    "randint": "0, 9",
    "randn": "2, 3",
    "random": "",
    "random_integers": "9",
    "random_sample": "",
    "ranf": "",
    "rayleigh": "2",
    "sample": "",
    "shuffle": "v",
    "spawn": "2",
    "standard_cauchy": "",
    "standard_exponential": "",
    "standard_gamma": "2",
    "standard_normal": "",
    "standard_t": "3",
    "tomaxint": "",
    "triangular": "0, 1, 2",
    "uniform": "0, 2",
    "vonmises": "0, 1",
    "wald": "1, 2",
    "weibull": "2",
    "zipf": "2",
    "seed": "n",
    "get_state": "legacy=False",
    "set_state": "np.random.get_state()",
    "get_bit_generator": "",
    "set_bit_generator": "np.random.get_bit_generator()",
}
