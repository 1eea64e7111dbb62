#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains every template with three seeds; writes the table of test accuracies; checks the goals.

usage: results.py PROGRAM TABLE.md

The epoch is chosen on the validation rows; what counts is the median over the seeds.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile

GOALS = {"logreg": 0.83, "mlp": 0.88, "cnn": 0.90, "iris": 0.90, "digits": 0.95, "spirals": 0.95}
SEEDS = (1, 2, 3)


def train(program, model, seed, folder):
    out = subprocess.run([program, "train", model, "--seed", str(seed), "--json", "--workspace",
                          os.path.join(folder, "results.trainscope")], capture_output=True, text=True)
    if out.returncode != 0:
        sys.exit(f"results.py: {model}: {out.stderr}")
    return json.loads(out.stdout.splitlines()[-1])


def main():
    program, table = sys.argv[1:]
    lines = ["# Results", "",
             "Test accuracy of the templates as they ship, the epoch chosen on the validation rows.",
             "`tools/test --full` makes this table anew; the goals are checked against the medians.", "",
             "| template | epochs | seed 1 | seed 2 | seed 3 | median | goal |",
             "|---|---|---|---|---|---|---|"]
    missed = []
    with tempfile.TemporaryDirectory(prefix="trainscope-results-") as folder:
        for model, goal in GOALS.items():
            ends = [train(program, model, seed, folder) for seed in SEEDS]
            values = [end["metrics"]["test/accuracy"] for end in ends]
            median = statistics.median(values)
            cells = " | ".join(f"{v:.4f}" for v in values)
            lines.append(f"| {model} | {ends[0]['epochs']} | {cells} | {median:.4f} | ≥ {goal:.2f} |")
            print(lines[-1], flush=True)
            if median < goal:
                missed.append(f"{model}: {median:.4f} < {goal}")
    with open(table, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    if missed:
        sys.exit("results.py: " + "; ".join(missed))


main()
