"""Lets the command line be reached as `python -m transpile`."""

from .cli import main

raise SystemExit(main())
