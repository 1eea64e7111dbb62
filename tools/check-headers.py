#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every header compiles alone and is guarded by #pragma once; every source begins with the SPDX
line; NAME-private.h is included from its own folder alone.

    check-headers.py [ROOT [BUILD]]

Prints FILE:LINE: what is wrong, one a line; status 1 if there is anything.  CC names the compiler."""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

SPDX = "SPDX-License-Identifier: MIT"
FIRST_LINE = {
    ".c": f"/* {SPDX} */",
    ".h": f"/* {SPDX} */",
    ".inc": f"/* {SPDX} */",
    ".py": f"# {SPDX}",
    ".sh": f"# {SPDX}",
    ".sql": f"-- {SPDX}",
}
PACKAGES = ["glib-2.0", "gio-2.0", "gio-unix-2.0", "json-glib-1.0", "sqlite3", "cairo", "zlib"]
WINDOW_PACKAGES = ["gtk4", "libadwaita-1", "gtksourceview-5"]
FLAGS = ["-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Wno-unused-parameter",
         "-Wno-missing-field-initializers", "-Werror", "-fsyntax-only"]
# A test that has to see inside: which file, which header.
WHITE_BOX = {
    ("tests/diagram/test-diagram.c", "ui/diagram/diagram-private.h"),  # the optimum of each phase
    ("tests/store/test-crash.c", "data/store/writer-private.h"),  # a request after a failed commit
}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+-private\.h)"')
WINDOW_FOLDERS = ("ui/", "tests/ui/", "app/window-module.h")
PLAIN_FOLDERS = ("ui/plot/", "ui/diagram/")
WINDOW = re.compile(r"#\s*include\s*<(gtk|gdk|adwaita|gtksourceview)")


def sources(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in ("shared", "node_modules", "__pycache__")
                            and not f.startswith((".", "build")))
        for name in sorted(files):
            if os.path.splitext(name)[1] in FIRST_LINE:
                yield os.path.relpath(os.path.join(folder, name), root)


def package_flags(packages):
    """What pkg-config says about those that are there."""
    flags = []
    for package in packages:
        found = subprocess.run(["pkg-config", "--cflags", package], capture_output=True, text=True)
        if found.returncode == 0:
            flags += [flag for flag in found.stdout.split() if flag not in flags]
    return flags


def has_package(package):
    return subprocess.run(["pkg-config", "--exists", package]).returncode == 0


def check_text(root, path):
    """The rules that need no compiler."""
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as f:
        lines = f.read().splitlines()
    want = FIRST_LINE[os.path.splitext(path)[1]]
    first = 1 if lines and lines[0].startswith("#!") else 0
    if len(lines) <= first or lines[first] != want:
        yield f"{path}:{first + 1}: should begin with '{want}'"
    if path.endswith(".h") and lines.count("#pragma once") != 1:
        yield f"{path}:1: has no (single) '#pragma once'"
    for number, line in enumerate(lines, 1):
        found = INCLUDE.match(line)
        if not found or (path, found.group(1)) in WHITE_BOX:
            continue
        if os.path.dirname(found.group(1)) != os.path.dirname(path):
            yield f"{path}:{number}: {found.group(1)} is private to its folder"


def compile_alone(root, build, path, flags):
    """The first thing the compiler says about a file that holds nothing but this include."""
    compiler = os.environ.get("CC", "cc").split()
    with tempfile.NamedTemporaryFile("w", suffix=".c") as f:
        f.write(f'#include "{path}"\n')
        f.flush()
        where = ["-I", root] + (["-I", build] if build else [])
        done = subprocess.run(compiler + FLAGS + where + flags + [f.name], capture_output=True, text=True)
    if done.returncode == 0:
        return None
    said = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines() or ["?"]
    return f"{path}:1: does not compile alone: {said[0]}"


def check_headers(root, build, headers):
    flags, window_flags = package_flags(PACKAGES), None
    jobs, skipped = [], 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path in headers:
            with open(os.path.join(root, path), encoding="utf-8", errors="replace") as f:
                needs_window = WINDOW.search(f.read()) or path.startswith(WINDOW_FOLDERS)
                if path.startswith(PLAIN_FOLDERS):
                    needs_window = False
            if needs_window and not has_package("gtk4"):
                skipped += 1
                continue
            if needs_window and window_flags is None:
                window_flags = package_flags(PACKAGES + WINDOW_PACKAGES)
            jobs.append(pool.submit(compile_alone, root, build, path, window_flags if needs_window else flags))
        problems = [job.result() for job in jobs]
    if skipped:
        print(f"# {skipped} headers of the window left out: no gtk4 here")
    return [problem for problem in problems if problem]


def main():
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    root = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else here
    build = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    paths = list(sources(root))
    problems = [problem for path in paths for problem in check_text(root, path)]
    problems += check_headers(root, build, [path for path in paths if path.endswith(".h")])
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
