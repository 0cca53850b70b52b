"""Text that loops and branches make, and prints of arrays there."""

from ..scope import Family

TEXTS = Family(
    makes={"words": ["['a', <text>]", "[]", "'one two three'.split()", "[str(v) for v in <LIST>]", "[f'{v:.2f}' for v in <F1>]"]},
    reads={
        "text": ["','.join(<WORDS>)", "f'{<f0>:8.3f}|{<i0>:>4}|'", "f'{<f1>}'", "'%5.2f/%d' % (<f0>, <i0>)", "str(<f1>)", "repr(<i1>)", "f'{<i0>:04d}{<f0>!r}'",
                 "'{} {:.1e}'.format(<i0>, <f0>)", "<TEXT> * <small>", "<TEXT>.upper()", "<TEXT>[<slice>]", "<WORDS>[<at>]", "'-' * <small>", "f'{<f0>:{<small>}.1f}'",
                 "f'{<F1:a>.shape} {<a>.dtype}'", "f'{<f0>=}'", "'%s %r' % (<f0>, <f1>)", "f'{<b0>!s:>6}'", "f'{<f0>:+.2e}'", "f'{<f0>:g}'", "f'{<i0>:x}'", "f'{<i0>:,}'",
                 "str(<LIST>)", "f'{<LIST>}'", "np.array2string(<f1>, precision=2)", "f'{<f2>}'", "'[' + ' '.join(str(v) for v in <f1>) + ']'"],
        "i0": ["len(<TEXT>)", "<TEXT>.count('a')", "len(<WORDS>)", "<TEXT>.find(' ')"],
        "b0": ["<TEXT>", "'a' in <TEXT>", "<TEXT> == <TEXT>", "<TEXT>.startswith('a')", "<text> in <WORDS>"],
    },
    writes=[
        "<TEXT> += <text>", "<TEXT:a> = <text> + <a>", "<WORDS>.append(<text>)", "print(<f1>)", "print(<i1>, <f0>)", "print(<f2>)", "print(<WORDS>, sep='')",
        "print('%.3f' % <f0>, <text>)", "print(f'{<f0>:.3f} {<i0>}', end=';')", "print(*<f1>, sep=', ')", "print(<F1:a>[<slice>], <a>.sum())", "print(<b1>)",
        "sys.stdout.write(<text>)", "print(<text>, file=sys.stderr)", "print(<i0>, <f0>, <b0>, <text>)", "print(np.round(<f1>, 2))", "print({'v': <f0>, 'w': <f1>})",
        "print([<f0>, <i0>], (<f0>,))", "print(<f1>, end='')", "print(repr(<V1>), str(<f0>))", "print(<F2:a>.T, <a>.shape)",
        "for <=f0:v> in <F1>:\n    <TEXT> += f'{<v>:.2f} '\n    <block>",
        "for <=i0:i> in range(<size>):\n    <TEXT> += '%d,' % <i>\n    if <b0>:\n        print(<text>)",
        "<=words:w> = []\nfor <=i0:i>, <=f0:v> in enumerate(<F1>):\n    <w>.append(f'{<i>}={<v>:g}')\n    <block>\nprint('; '.join(<w>))",
        "if <b0>:\n    print(<f1>)\nelse:\n    <TEXT> = <text>\n    print(<text>, <f1>)",
        "for <=i0:i> in range(<size>):\n    print(<i>, <f1>, <f0>)\n    <block>",
        "for <=f1:r> in <F2>:\n    print(<r>, <r>.max(), sep=' > ')",
        "for <=text:c> in <TEXT>:\n    if <c> == 'a':\n        <block>",
        "print('start')\ntry:\n    <block>\nfinally:\n    print('end', <text>)",
        "while <counter:k> < <small>:\n    <k> += 1\n    <TEXT:t> += <t>[-1:] + '!'\n    print(f'{<k>:>{<small>}}', <t>)",
    ],
)  # fmt: skip
