#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the public headers below the given folders, one a line: those that do not end in -private.h."""
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent
for folder in sys.argv[1:]:
    for path in sorted((root / folder).rglob("*.h")):
        if not path.name.endswith("-private.h"):
            print(path.relative_to(root))
