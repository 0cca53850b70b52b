"""Functions with assertions: in a file of its own, because pytest rewrites those of tests."""


def message(x):
    print("the message is made")
    return f"not {x}"


def asserts(x):
    assert x > 0, message(x)
    print("after")
    return x


def asserts_in_loop(n):
    total = 0
    for i in range(n):
        total += i
        assert total < 10, f"{total} at {i}"
    return total
