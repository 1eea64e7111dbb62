# SPDX-License-Identifier: MIT
"""Feeds every lint a small tree that breaks one of its rules, and one that breaks none.

    selftest.py [ROOT]

Speaks TAP."""
import os
import subprocess
import sys
import tempfile

ROOT = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LICENSE = "/* SPDX-License-Identifier: MIT */\n"
HEADER = LICENSE + "#pragma once\n"


def function(name, lines):
    """A C function of so many lines."""
    return f"int\n{name} (void)\n{{\n" + "  ;\n" * (lines - 3) + "}\n"


# lint, what it is about, the files, what it must say (None: nothing, and pass)
CASES = [
    ("layers", "nothing wrong", {
        "engine/base/a.h": HEADER,
        "engine/tensor/b.c": '#include "engine/base/a.h"\n#include <math.h>\n',
        "app/main.c": '#include "engine/train/t.h"\n#include "data/store/s.h"\n#include <gtk/gtk.h>\n',
        "engine/train/t.h": HEADER,
        "data/store/s.h": HEADER + "#include <sqlite3.h>\n",
        "ui/plot/p.c": "#include <cairo-svg.h>\n",
        "ui/pages/p.c": '#include <gtk/gtk.h>\n#include "data/store/s.h"\n',
        "engine/tensor/blas.c": "#include <cblas.h>\n",
    }, None),
    ("layers", "base looks up", {"engine/base/a.c": '#include "engine/tensor/b.h"\n', "engine/tensor/b.h": HEADER},
     "engine/base/a.c:1: engine/base may not include engine/tensor/b.h"),
    ("layers", "siblings", {"engine/nn/a.c": '\n#include "engine/optim/b.h"\n', "engine/optim/b.h": HEADER},
     "engine/nn/a.c:2: engine/nn may not include"),
    ("layers", "store knows tensors", {"data/store/a.c": '#include "engine/tensor/b.h"\n', "engine/tensor/b.h": HEADER},
     "data/store may not include"),
    ("layers", "plot depends on us", {"ui/plot/a.c": '#include "engine/base/b.h"\n', "engine/base/b.h": HEADER},
     "ui/plot may not include"),
    ("layers", "trainer sees the store", {"engine/train/a.c": '#include "data/store/b.h"\n', "data/store/b.h": HEADER},
     "engine/train may not include"),
    ("layers", "a page joins trainer and store", {
        "ui/pages/a.c": '#include "data/store/b.h"\n#include "engine/train/c.h"\n',
        "data/store/b.h": HEADER, "engine/train/c.h": HEADER,
    }, "joins trainer and store"),
    ("layers", "an unknown folder", {"engine/utils/a.c": '#include "engine/base/b.h"\n', "engine/base/b.h": HEADER},
     "stands in no layer"),
    ("layers", "SQLite outside the store", {"app/a.c": "#include <sqlite3.h>\n"}, "app/a.c:1: <sqlite3.h>"),
    ("layers", "Cairo outside the pictures", {"app/a.c": "#include <cairo-pdf.h>\n"}, "<cairo-pdf.h>"),
    ("layers", "BLAS outside its file", {"engine/tensor/gemm.c": "#include <cblas.h>\n"}, "<cblas.h>"),
    ("layers", "GTK in the plot core", {"ui/plot/a.c": "#  include <gtk/gtk.h>\n"}, "<gtk/gtk.h>"),
    ("layers", "GTK in the engine", {"engine/base/a.h": "#include <adwaita.h>\n"}, "<adwaita.h>"),
    ("layers", "a circle of three", {
        "engine/base/a.h": '#include "engine/base/b.h"\n', "engine/base/b.h": '#include "engine/base/c.h"\n',
        "engine/base/c.h": '#include "engine/base/a.h"\n',
    }, "engine/base/a.h -> engine/base/b.h -> engine/base/c.h -> engine/base/a.h"),

    ("headers", "nothing wrong", {
        "engine/base/a.h": HEADER + "#include <glib.h>\nvoid ts_a (GString *s);\n",
        "engine/base/a-private.h": HEADER + '#include "engine/base/a.h"\n',
        "engine/base/a.c": LICENSE + '#include "engine/base/a-private.h"\n',
        "tools/x.py": "#!/usr/bin/env python3\n# SPDX-License-Identifier: MIT\n",
        "schemas/x.sql": "-- SPDX-License-Identifier: MIT\n",
    }, None),
    ("headers", "needs another header first", {"engine/base/a.h": HEADER + "void ts_a (GString *s);\n"},
     "engine/base/a.h:1: does not compile alone"),
    ("headers", "no guard", {"engine/base/a.h": LICENSE + "struct a;\n"}, "#pragma once"),
    ("headers", "no licence in C", {"engine/base/a.c": "\n" + LICENSE}, "engine/base/a.c:1: should begin"),
    ("headers", "no licence in Python", {"tools/x.py": "#!/usr/bin/env python3\nimport os\n"}, "tools/x.py:2: should begin"),
    ("headers", "no licence in SQL", {"schemas/x.sql": "SELECT 1;\n"}, "schemas/x.sql:1: should begin"),
    ("headers", "no licence in a shell script", {"tools/x.sh": "#!/bin/sh\ntrue\n"}, "tools/x.sh:2: should begin"),
    ("headers", "a private header abroad", {
        "engine/base/a-private.h": HEADER,
        "engine/tensor/b.c": LICENSE + '#include "engine/base/a-private.h"\n',
    }, "engine/tensor/b.c:2: engine/base/a-private.h is private"),

    ("sizes", "nothing wrong", {
        "a.c": function("ts_a", 80) + "\nstatic const int table[] = {\n" + "  1,\n" * 200 + "};\n\n" + function("ts_b", 80),
        "b.h": "//\n" * 700,
        "build/c.c": "//\n" * 9000,
    }, None),
    ("sizes", "a long file", {"a.h": "//\n" * 701}, "a.h:1: 701 lines"),
    ("sizes", "a long function", {"a.c": function("ts_short", 20) + "\n" + function("ts_long", 81)}, "a.c:24: ts_long has 81"),
    ("sizes", "a long query", {"a.sql": "--\n" * 701}, "a.sql:1: 701 lines"),
    ("sizes", "a long function in Python", {"a.py": "def f():\n" + "    pass\n" * 80}, "a.py:1: f has 81 lines"),
]


def run_case(lint, tree, want):
    """What went wrong; None: all is well."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in tree.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as f:
                f.write(text)
        script = os.path.join(ROOT, "tools", f"check-{lint}.py")
        done = subprocess.run([sys.executable, script, root], capture_output=True, text=True)
    if want is None and done.returncode != 0:
        return f"should pass, but: {done.stdout}{done.stderr}"
    if want is not None and done.returncode != 1:
        return f"should fail with status 1, not {done.returncode}: {done.stdout}{done.stderr}"
    if want is not None and want not in done.stdout:
        return f"does not say '{want}' but: {done.stdout}{done.stderr}"
    return None


def main():
    failed = 0
    print(f"1..{len(CASES)}")
    for number, (lint, what, tree, want) in enumerate(CASES, 1):
        wrong = run_case(lint, tree, want)
        print(f"{'not ok' if wrong else 'ok'} {number} {lint}: {what}")
        if wrong:
            failed += 1
            print("\n".join("# " + line for line in wrong.splitlines()))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
