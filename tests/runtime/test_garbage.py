"""The collector of garbage is kept from running for a while."""

import gc

import pytest

from transpile.runtime.garbage import no_collections


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_of_garbage_is_left_as_it_was(enabled: bool) -> None:
    was_enabled = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        with pytest.raises(ValueError), no_collections():
            assert not gc.isenabled()
            raise ValueError
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if was_enabled else gc.disable)()
