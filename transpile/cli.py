"""The command line."""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from transpile.runtime.errors import TranspileError
from transpile.runtime.frames import hands_on

from .version import __version__

if TYPE_CHECKING:
    import argparse

_EPILOG = """\
examples:
  transpile --show heat.py::diffuse                     the rewritten Python of one function
  transpile --show heat.py --stage graph                run heat.py; the graph of each function that it calls
  transpile --show heat.py::diffuse --stage kernels --call "diffuse(np.zeros((5, 6)))"
  transpile run script.py 1000                          run a script, its functions converted
  transpile run --hook package --explain script.py      and those of a package that it imports; say what became of them
  transpile bench heat nbody --size large               time programs of the corpus
"""
_ACCURACIES = ("numpy", "fast")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    given = sys.argv[1:] if arguments is None else arguments
    options = _plain_run(given) or _parser().parse_args(given)
    try:
        if options.show:
            return _show(options)
        if options.command is None:
            _parser().print_help()
            return 0
        status: int = options.run(options)
        return status
    except TranspileError as error:
        return _fail(str(error))
    except BrokenPipeError:
        return 0


def _plain_run(arguments: Sequence[str]) -> Any:
    """Return the options of a script that is run without any: what parses them takes longer to load than all else that such a script needs."""
    if len(arguments) < 2 or arguments[0] != "run" or arguments[1][:1] in ("", "-"):
        return None
    script, rest = arguments[1], [*arguments[2:]]
    given = {"hook": [], "explain": False, "accuracy": _ACCURACIES[0], "script": script, "arguments": rest}
    return types.SimpleNamespace(show=None, command="run", run=_run, **given)


def _add_run(run: argparse.ArgumentParser) -> None:
    import argparse

    run.add_argument(
        "--hook", metavar="PKG", action="append", default=[], help="convert a package that it imports, too"
    )
    run.add_argument(
        "--explain", action="store_true", help="say at the end what was compiled, and what was not and why"
    )
    run.add_argument(
        "--accuracy",
        choices=_ACCURACIES,
        default=_ACCURACIES[0],
        help="NumPy's own bits (default), or elementary functions within two units in the last place and sums in any order",
    )
    run.add_argument("script")
    run.add_argument("arguments", nargs=argparse.REMAINDER)
    run.set_defaults(run=_run)


def _parser() -> argparse.ArgumentParser:
    import argparse

    parser = argparse.ArgumentParser(
        prog="transpile",
        description="Makes the NumPy code you have fast, as it is.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"transpile {__version__}")
    parser.add_argument(
        "--show",
        metavar="FILE[::FUNC]",
        help="show the functions of a file at a stage; all of them without FUNC",
    )
    parser.add_argument(
        "--stage",
        choices=("source", "graph", "kernels"),
        default="source",
        help="what to show: rewritten Python (default), graph, or the loops that are compiled",
    )
    parser.add_argument(
        "--call",
        metavar="EXPR",
        help="with --stage graph or kernels: the call to show, evaluated in the file's namespace with NumPy as np; "
        "without it the file is run as a script and the calls that it makes are shown",
    )
    commands = parser.add_subparsers(dest="command", title="commands", metavar="")

    _add_run(commands.add_parser("run", help="run a script with its functions converted"))

    bench = commands.add_parser("bench", help="time the programs of the corpus")
    bench.add_argument("programs", nargs="*", metavar="PROGRAM", help="all, without")
    bench.add_argument(
        "--size",
        nargs="+",
        choices=("small", "medium", "large"),
        default=["small", "medium", "large"],
        help="sizes to time (default: all three)",
    )
    bench.add_argument(
        "--seconds", type=float, default=0.2, help="how long to repeat a call at each size (default 0.2)"
    )
    bench.add_argument(
        "--json", metavar="FILE", help="keep the figures in a file; an unfinished run is gone on with"
    )
    bench.add_argument("--page", metavar="FILE", help="write the page of docs/, too")
    bench.add_argument("--plot", metavar="FILE", help="draw the figures, too (with matplotlib)")
    bench.add_argument("--again", action="store_true", help="measure nothing: print what --json FILE has")
    bench.add_argument("--markdown", action="store_true", help="print the tables that the README has")
    bench.add_argument("--steps", action="store_true", help="time the steps from source to kernel instead")
    bench.add_argument(
        "--fallback",
        action="store_true",
        help="compare calls that run as plain Python after all with plain ones",
    )
    bench.add_argument(
        "--functions", action="store_true", help="time single functions of NumPy's, compiled, instead"
    )
    bench.add_argument(
        "--bits", action="store_true", help="compare the bits that functions of NumPy's give, compiled"
    )
    bench.set_defaults(run=_bench)

    demo = commands.add_parser(
        "demo", help="convert the corpus, show one program, check results, print times"
    )
    demo.add_argument("--size", choices=("small", "medium", "large"), default="medium")
    demo.set_defaults(run=_demo)

    support = commands.add_parser("support", help="print the page of what is supported of NumPy")
    support.set_defaults(run=_support)
    return parser


def _show(options: argparse.Namespace) -> int:
    from .show import Show

    file, _, name = options.show.partition("::")
    if not Path(file).is_file():
        return _fail(f"there is no file {file}")
    show = Show(file, name, options.stage, _print)
    with _user_errors():
        show.run(options.call)
    return 1 if show.failed and not show.count else 0


def _print(title: str, text: str, language: str) -> None:
    """Print one function at a stage, in colour on a terminal."""
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.rule import Rule
        from rich.syntax import Syntax

        console = Console()
        console.print(Rule(title, align="left"))
        console.print(Syntax(text.strip("\n"), language, background_color="default", word_wrap=True))
        console.print()
    else:
        print(f"# {title}\n\n{text.strip(chr(10))}\n")


def _run(options: Any) -> int:
    from . import hook

    path = Path(options.script)
    if not path.is_file():
        return _fail(f"there is no file {options.script}")
    sys.argv = [options.script, *options.arguments]
    if options.hook:
        hook.install(*options.hook, accuracy=options.accuracy)
    offer = functools.partial(hook.offer, accuracy=options.accuracy)
    run = functools.partial(hook.run_loop, accuracy=options.accuracy)
    try:
        with _user_errors():
            # Python, too, knows the file by its absolute path.
            hook.load(path.absolute(), "__main__", path.resolve().parent, offer, run)
    finally:
        if options.explain:
            print(hook.report() or "no function was converted", file=sys.stderr)
    return 0


def _bench(options: argparse.Namespace) -> int:
    from . import bench, bench_fallback, bench_steps

    if options.functions or options.bits:
        from . import bench_bits, bench_functions

        return bench_bits.run() if options.bits else bench_functions.run()
    if options.fallback:
        return bench_fallback.run()
    if options.again:
        return bench.report(bench.kept(options.json), options.page, options.plot, options.markdown)
    chosen = bench.choose(options.programs)
    if options.steps:
        return bench_steps.run(chosen, options.size[-1])
    return bench.run(
        chosen, options.size, options.seconds, options.json, options.page, options.plot, options.markdown
    )


def _demo(options: argparse.Namespace) -> int:
    from . import demo

    return demo.run(options.size)


def _support(options: argparse.Namespace) -> int:
    from .support import page

    print(page(), end="")
    return 0


def _fail(message: str) -> int:
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True)
    console.print(Text.assemble(("error: ", "bold red"), message), soft_wrap=True)
    return 1


class _user_errors:
    """Prints what the user's code raises as Python does, without our frames, and ends the process with status 1."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        if error is None or isinstance(error, (SystemExit, TranspileError)):
            return
        _hide_our_frames(error)
        import traceback

        traceback.print_exception(error)
        raise SystemExit(130 if isinstance(error, KeyboardInterrupt) else 1) from None


def _hide_our_frames(error: BaseException | None) -> None:
    """Take our frames out of the tracebacks of an error and of those it comes from."""
    while error is not None:
        entries = []
        entry = error.__traceback__
        while entry is not None:
            entries.append(entry)
            entry = entry.tb_next
        shown: types.TracebackType | None = None
        for entry in reversed(entries):
            if not _is_ours(entry) and not _stands_around(entry, shown):
                shown = types.TracebackType(shown, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
        error.__traceback__ = shown
        error = error.__cause__ or error.__context__


def _stands_around(entry: types.TracebackType, inner: types.TracebackType | None) -> bool:
    """Whether an entry is that of a module in which a loop of its own runs, which has an entry, too."""
    frames = [each.tb_frame for each in (entry, inner) if each is not None]
    return (
        len(frames) == 2 and _place(frames[0]) == _place(frames[1]) and frames[0].f_code.co_name == "<module>"
    )


def _place(frame: types.FrameType) -> tuple[str, str, int]:
    return frame.f_code.co_name, frame.f_code.co_filename, id(frame.f_globals)


def _is_ours(entry: types.TracebackType) -> bool:
    frame = entry.tb_frame
    module = str(frame.f_globals.get("__name__"))
    ours = module.startswith("transpile.") and not module.startswith("transpile.corpus.")
    return ours or hands_on(frame.f_code, entry.tb_lasti)
