"""Python's generators are found where they lie; what kernels draw from them is tested with the functions that draw."""

import ctypes
import random

from transpile.devices.cpu.python_generators import address


def test_the_place_of_the_next_word_lies_before_the_words() -> None:
    generator = random.Random(3)
    for count in (1, 620, 700):
        for _ in range(count):
            generator.random()
        *words, place = generator.getstate()[1]
        assert [*(ctypes.c_uint32 * 625).from_address(address(generator))] == [place, *words]


def test_generators_of_other_classes_are_left_to_python() -> None:
    class Own(random.Random):
        def random(self) -> float:
            return 0.5

    assert address(Own()) == 0
    assert address(random.SystemRandom()) == 0
