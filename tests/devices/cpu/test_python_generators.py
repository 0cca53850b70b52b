"""What Python's generators hold is lent to NumPy's, and given back, to the bit."""

import random

import numpy as np

from transpile.devices.cpu.python_generators import exchange


def test_an_exchange_goes_both_ways() -> None:
    generator, plain = random.Random(3), random.Random(3)
    lent = exchange(generator)
    assert lent is not None
    for count in (1, 623, 700):
        lent.acquire()
        drawn = np.random.Generator(lent.bits).random(count).tolist()
        lent.release()
        assert drawn == [plain.random() for _ in range(count)]
        assert generator.getstate() == plain.getstate()
        assert generator.getrandbits(70) == plain.getrandbits(70)


def test_generators_of_other_classes_are_left_to_python() -> None:
    class Own(random.Random):
        def random(self) -> float:
            return 0.5

    assert exchange(Own()) is None
    assert exchange(random.SystemRandom()) is None


def test_one_generator_is_one_lock() -> None:
    generator = random.Random(1)
    assert exchange(generator) == exchange(generator)
    assert exchange(generator) != exchange(random.Random(1))
