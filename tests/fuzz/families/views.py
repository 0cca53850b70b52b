"""Views that share memory with arguments and with each other, written through each name, with `out=` and in place."""

from ..scope import Family

VIEWS = Family(
    reads={
        "f1": ["<F1>[<slice>][<slice>]", "<F2>.diagonal()", "<F2>.T[<at>]", "<F2:a>.reshape(-1)[:<a>.shape[0]]", "<F1:a>[len(<a>) // 2:]", "<F1:a>[:-len(<a>) + 2:-1]",
               "<F1>[<i0> % 3::-1]", "<F1:a>[<i0> % 2 : len(<a>) - <i0> % 2]", "np.lib.stride_tricks.sliding_window_view(<F1>, 2)[:, 0]",
               "np.add(<F1:a>, <f0>, out=<a>)", "np.broadcast_to(<f0>, 3)", "<F2>[<at>, <slice>]", "<F1>[..., None][:, 0]"],
        "f2": ["<F2>[<slice>]", "<F2>.T", "<F1>[:, None]", "<F2>[::-1, ::-1]", "<F1>.reshape(1, -1)", "np.swapaxes(<F2>, 0, 1)"],
        "b0": ["np.shares_memory(<F1>, <F1>)", "<F1> is <F1>", "<F2>.flags.c_contiguous"],
    },
    writes=[
        "<F1:a>[1:] += <a>[:-1]", "<F1:a>[:-1] = <a>[1:]", "<F1:a>[::-1] = <a>", "<F1:a>[:] = <a>[::-1] * <f0>", "<F1:a>[1:] = <a>[:-1] + <a>[1:]",
        "<F2:a>[:] = <a>[::-1]", "<F2:a>[1:] -= <a>[:-1]", "<F2>[:, 0] = <f0>", "<F2:a>[0] = <a>[-1] + <f0>", "<F2:a>[:, 0] += <a>[:, -1]", "<F2:a>[...] = <a>[0]",
        "np.add(<F1:a>[:-1], <a>[1:], out=<a>[1:])", "np.multiply(<F1:a>, <f0>, out=<a>)", "np.subtract(<f1>, <f0>, out=<F1>)", "np.add(<F1>[::2], <f0>, out=<F1>[::2])",
        "np.maximum(<F1:a>, <f0>, out=<a>, where=<a> > 0)", "np.cumsum(<F1:a>, out=<a>)", "np.copyto(<F1>, <f1>)", "np.add.at(<F1:a>, <I1> % len(<a>), <f0>)",
        "<=f1?:v> = <F1>[<slice>]\n<v> += <f0>", "<=f1?:v> = <F1:a>[1:]\n<v>[:] = <a>[:-1]", "<=f1:v> = <F1>\n<v> -= <f1>", "<=f1:v> = <F1>\n<v> = <v> + 1\n<v>[0] = <f0>",
        "<=f1?:v> = <F2>[<at>]\n<v> *= <f0>", "<=f1?:v> = <F2>[:, <at>]\n<v>[<at>] = <f0>", "<=f1?:v> = <F2>.ravel()\n<v>[0] = <f0>", "<=f2?:v> = <F2>.T\n<v>[0] = <f0>",
        "<=f1?:v> = <F1>.reshape(-1, 1)[:, 0]\n<v>[0] += <f0>", "<F1:a>, <F1:b> = <b>, <a>", "<F1>[<mask>] = <f0>", "<F1:a>[<a> > <f0>] -= <f0>", "<F1>.sort()",
        "<F2>.sort(axis=<axis>)", "<F1:a>[len(<a>) // 2:][::-1][0] = <f0>", "<F1>.flat[<at>] = <f0>", "np.negative(<F1:a>[::-1], out=<a>)", "<F1>[<at>:][:2] = <f0>",
        "<=f1?:v> = <F1>[<slice>]\n<=f1?:w> = <v>[<slice>]\n<w> += 1\n<v> *= 2", "<F2:a>[<at>], <a>[<at>] = <a>[<at>].copy(), <f0>", "<F1:a>[0], <a>[-1] = <a>[-1], <a>[0]",
        "<F1>[<I1>] = <f0>", "<F1:a>[<a>.argmax()] = <a>.min()", "<V1>.fill(<f0>)", "<F1:a>[<i0> % len(<a>)] += <a>[<i0> % len(<a>)]", "<F1:a> **= 2", "<I1:a>[<a> > 1] -= 1",
        "for <=i0:i> in range(len(<F1:a>)):\n    <a>[<i>:] += <f0>\n    <block>",
        "for <=i0:i> in range(1, len(<F1:a>)):\n    <=f1?:v> = <a>[:<i>]\n    <v> += <a>[<i>]\n    <block>",
        "for <=f1:r> in <F2:a>:\n    <r>[:] = <r>[::-1]\n    <block>",
        "for <=f1:r> in <F2:a>.T:\n    <r> -= <r>.mean()",
        "if <b0>:\n    <=f1:v> = <F1:a>\nelse:\n    <v> = <a>.copy()\n<v>[0] = <f0>\nprint(<a>[0])",
        "<=f1:v> = <F1:a> if <b0> else <F1>\n<v> += <f0>\nprint(<a>)",
        "<=f1:v> = np.zeros_like(<F1:a>)\nfor <=i0:i> in range(<small>):\n    np.add(<a>, <i>, out=<v>)\n    <a>, <v> = <v>, <a>",
        "<=f1:v> = <f1>\nfor _ in range(<small>):\n    <=f1:w> = <v>\n    <w> += <f0>\n    <v> = <w> * 2\n    <block>",
        "with np.errstate(all='ignore'):\n    <F1> /= <f0>\n    <block>",
        "for <=i0:i> in range(len(<F1:a>) - 1, 0, -1):\n    <a>[<i>], <a>[<i> - 1] = <a>[<i> - 1], <a>[<i>]",
    ],
)  # fmt: skip
