"""Globals and attributes of modules, classes and namespaces, which calls and what stands between them change."""

from ..scope import Family

MODULES = Family(
    preamble='''\
import types

config = types.ModuleType("config")
config.limit = 3
config.rate = 0.5
config.weights = np.array([1.0, 2.0, 4.0])
settings = types.SimpleNamespace(scale=2.0, depth=1, rows=[1, 2], grid=np.ones((2, 2)))
GAIN = 1.5
CALLS_SO_FAR = 0
LAST = np.zeros(3)
HISTORY = []


class Defaults:
    factor = 2
    offset = np.arange(3.0)
    seen = []

    @classmethod
    def grow(cls, by):
        cls.factor += by
        return cls.factor

    @staticmethod
    def weighted(values):
        return values * Defaults.factor

    def use(self, value):
        self.seen.append(value)
        return value * self.factor


DEFAULTS = Defaults()


def amplify(value):
    global CALLS_SO_FAR
    CALLS_SO_FAR += 1
    return value * GAIN


def remember(value):
    global LAST, GAIN
    LAST = LAST * 0.5 + value
    if value > 1:
        GAIN = GAIN + value
''',
    kept=["config", "settings", "GAIN", "CALLS_SO_FAR", "LAST", "HISTORY", "Defaults", "DEFAULTS"],
    names={
        "config.limit": "i0", "config.rate": "f0", "config.weights": "f1", "settings.scale": "f0", "settings.depth": "i0", "settings.rows": "list",
        "settings.grid": "f2", "GAIN": "f0", "CALLS_SO_FAR": "i0", "LAST": "f1", "HISTORY": "list", "Defaults.factor": "i0", "Defaults.offset": "f1",
        "Defaults.seen": "list", "DEFAULTS": "defaults",
    },
    makes={"defaults": ["Defaults()"]},
    reads={
        "f0": ["amplify(<f0>)", "Defaults.grow(<i0>)", "Defaults.weighted(<f0>)", "<DEFAULTS>.use(<f0>)", "<DEFAULTS>.factor", "<DEFAULTS>.grow(1)", "getattr(config, 'rate')",
               "globals()['GAIN']", "vars(settings)['scale']"],
        "f1": ["amplify(<f1>)", "Defaults.weighted(<f1>)", "<DEFAULTS>.offset", "<DEFAULTS>.weighted(<f1>)"],
        "b0": ["hasattr(settings, 'extra')", "hasattr(<DEFAULTS>, 'factor')", "isinstance(<DEFAULTS>, Defaults)"],
    },
    writes=[
        "config.limit += 1", "config.rate = <f0>", "config.weights = config.weights * <f0>", "config.weights[<at>] = <f0>", "settings.scale *= 2", "settings.rows.append(<i0>)",
        "settings.rows = [<i0>]", "settings.grid[<at>] = <f0>", "settings.extra = <f0>", "GAIN = <f0>", "LAST = <f1>", "LAST[<at>] = <f0>", "LAST += <f0>", "HISTORY.append(<f0>)",
        "HISTORY.append(<i0>)", "remember(<f0>)", "remember(<i0>)", "amplify(<f0>)", "Defaults.factor = <i0>", "Defaults.factor += 1", "<DEFAULTS>.factor = <f0>",
        "<DEFAULTS>.factor += 1", "Defaults.offset = <f1>", "<DEFAULTS>.offset[<at>] = <f0>", "<DEFAULTS>.offset += <f0>", "<DEFAULTS>.use(<i0>)", "<=defaults> = Defaults()",
        "setattr(settings, 'scale', <f0>)", "print(GAIN, config.limit, settings.scale)", "print(LAST, HISTORY[-2:])", "print(Defaults.factor, <DEFAULTS>.factor)",
        "for <=i0:i> in range(<size>):\n    GAIN = GAIN * 0.5 + <i>\n    <block>",
        "for <=i0:i> in range(<size>):\n    config.limit += <i>\n    if config.limit > <i0>:\n        config.weights = <f1>\n    <block>",
        "for <=f0:v> in <F1>:\n    remember(<v>)\n    HISTORY.append(<v>)\n    <block>",
        "if <b0>:\n    LAST = <f1>\nelse:\n    LAST[0] = <f0>\nprint(LAST.sum())",
        "if config.limit > <i0>:\n    settings.scale = <f0>\nelse:\n    settings.rows = []\nsettings.rows.append(<f0>)",
        "for <=i0:i> in range(<small>):\n    <DEFAULTS:d>.factor = <d>.factor + <i>\n    print(<d>.use(<i>), Defaults.factor)",
    ],
)  # fmt: skip
