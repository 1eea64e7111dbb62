#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes schemas/schema.golden anew from the migrations; run it in the root of the source tree."""
import glob
import sqlite3

db = sqlite3.connect(":memory:")
for path in sorted(glob.glob("schemas/sql/*.sql")):
    with open(path, encoding="utf-8") as file:
        db.executescript(file.read())
rows = db.execute("SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
                  " ORDER BY type, name")
with open("schemas/schema.golden", "w", encoding="utf-8") as file:
    file.writelines(f"{sql};\n" for sql, in rows)
