#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which folder may include which (docs/architecture.md, "Layers"), and that no two files include
each other in a circle.

    check-layers.py [ROOT]

Prints FILE:LINE: what is wrong, one a line; status 1 if there is anything."""
import os
import re
import sys

# What a folder may include of ours, beside itself.
BELOW_TENSOR = ["engine/base"]
BELOW_OPS = BELOW_TENSOR + ["engine/tensor"]
BELOW_GRAPH = BELOW_OPS + ["engine/ops"]
BELOW_NN = BELOW_GRAPH + ["engine/graph"]
BELOW_MODEL = BELOW_NN + ["engine/nn", "engine/optim"]
BELOW_WIDGETS = ["engine/base", "data/store", "ui/plot", "ui/diagram", "ui/shortcuts", "ui/models"]
BELOW_PAGES = BELOW_WIDGETS + ["ui/widgets"]
LAYERS = {
    "engine/base": [],
    "engine/tensor": BELOW_TENSOR,
    "engine/ops": BELOW_OPS,
    "engine/graph": BELOW_GRAPH,
    "engine/nn": BELOW_NN,
    "engine/optim": BELOW_NN,
    "engine/metric": ["engine/base"],
    "engine/model": BELOW_MODEL,
    "engine/train": BELOW_MODEL + ["engine/model", "data/sets"],
    "data/store": ["engine/base"],
    "data/events": ["engine/base", "data/store"],
    "data/sets": ["engine/base", "engine/tensor"],
    "ui/plot": [],
    "ui/diagram": [],
    "ui/shortcuts": [],
    "ui/models": ["engine/base", "data/store", "ui/plot"],
    "ui/widgets": BELOW_WIDGETS,
    "ui/pages": BELOW_PAGES,
    "ui": BELOW_PAGES + ["ui/pages"],
}
# Everything: the program, its tests, and what is built from it for measuring.
FREE = ("app", "tests", "bench", "examples")

# Headers from outside, and the only places (a folder and all in it, or a file) that may include them.
OUTSIDE = [
    (re.compile(r"sqlite3(ext)?\.h$"), ["data/store", "tests/store"], []),
    (re.compile(r"cairo(-\w+)?\.h$|pango/"), ["ui", "tests/plot", "tests/ui"], []),
    (re.compile(r"cblas\.h$|openblas"), ["engine/tensor/blas.c"], []),
    (re.compile(r"gtk/|gdk/|adwaita\.h$|gtksourceview/"), ["ui", "app", "tests/ui"], ["ui/plot", "ui/diagram"]),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
SOURCES = (".c", ".h", ".inc")


def is_within(path, place):
    return path == place or path.startswith(place + "/")


def sources(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in ("shared", "node_modules", "__pycache__")
                            and not f.startswith((".", "build")))
        for name in sorted(files):
            if name.endswith(SOURCES):
                yield os.path.relpath(os.path.join(folder, name), root)


def layer_of(path):
    """The longest folder of LAYERS that holds the file; None: in none of them."""
    fitting = [layer for layer in LAYERS if is_within(path, layer)]
    return max(fitting, key=len) if fitting else None


def includes(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as f:
        for number, line in enumerate(f, 1):
            found = INCLUDE.match(line)
            if found:
                yield number, found.group(1), found.group(2)


def check_ours(path, target):
    """What is wrong with one of our files including another; None: nothing."""
    if is_within(path, FREE[0]) or any(is_within(path, free) for free in FREE):
        return None
    layer, other = layer_of(path), layer_of(target)
    if layer is None:
        return "stands in no layer; add its folder to tools/check-layers.py"
    if layer == other or (other is not None and other in LAYERS[layer]):
        return None
    return f"{layer} may not include {target}"


def check_outside(path, name):
    for pattern, allowed, refused in OUTSIDE:
        if not pattern.match(name):
            continue
        if any(is_within(path, place) for place in refused) or not any(is_within(path, place) for place in allowed):
            return f"<{name}> belongs in {', '.join(allowed)} alone"
    return None


def cycles(graph):
    """Each circle once, as the files along it."""
    done, found = set(), []
    for start in sorted(graph):
        stack, trail = [(start, iter(graph[start]))], [start]
        if start in done:
            continue
        while stack:
            node, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                done.add(node)
                stack.pop()
                trail.pop()
            elif following in trail:
                found.append(trail[trail.index(following):] + [following])
            elif following not in done:
                stack.append((following, iter(graph.get(following, ()))))
                trail.append(following)
    return found


def check(root):
    problems, graph = [], {}
    for path in sources(root):
        graph[path] = []
        joins = set()
        for number, quoted, angled in includes(root, path):
            target = quoted and os.path.normpath(quoted)
            if target and os.path.exists(os.path.join(root, target)):
                graph[path].append(target)
                joins.add(layer_of(target))
                wrong = check_ours(path, target)
            else:
                wrong = check_outside(path, quoted or angled)
            if wrong:
                problems.append(f"{path}:{number}: {wrong}")
        if {"data/store", "engine/train"} <= joins and not is_within(path, "app") and not is_within(path, "tests"):
            problems.append(f"{path}:1: joins trainer and store, which app/ alone does")
    for circle in cycles(graph):
        problems.append(f"{circle[0]}:1: includes itself: {' -> '.join(circle)}")
    return problems


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    problems = check(root)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
