"""Functions that were made by a recipe can be made again."""

from transpile.runtime.recipes import made_of, recipe


@recipe
def adding(number: int, *, twice: bool = False):  # type: ignore[no-untyped-def]
    """Return what adds a number."""
    return lambda x: x + number * (1 + twice)


def test_what_a_recipe_makes_remembers_of_what() -> None:
    made = adding(3, twice=True)
    again = made_of(made)
    assert again is not None and again.func is adding
    assert made(1) == again()(1) == 7
    assert made_of(again()) is not None


def test_other_functions_do_not() -> None:
    def named() -> None: ...

    assert made_of(named) is None
    named.made_of = "dough"  # type: ignore[attr-defined]
    assert made_of(named) is None
    assert adding.__doc__ == "Return what adds a number."
