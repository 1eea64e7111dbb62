#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the public headers below the given folders, one a line: those that do not end in -private.h,
and the lists (*-list.inc) that they include."""
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent
for folder in sys.argv[1:]:
    for path in sorted((root / folder).rglob("*")):
        header = path.suffix == ".h" and not path.name.endswith("-private.h")
        if header or path.name.endswith("-list.inc"):
            print(path.relative_to(root))
