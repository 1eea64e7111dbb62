#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes ui/icons/*.svg: symbolic icons, 16 px, strokes of 1.5 px with round ends.

usage: make-icons.py [--check] [FOLDER]

GTK recolours fills only, so every stroke is turned into a filled outline here: a line becomes a
capsule, a circle a ring.  All outlines turn the same way, so overlaps stay filled.  --check writes
nothing and fails when the files in FOLDER are not what this script makes.
"""
import math
import os
import sys

R = 0.75  # half the stroke


def number(v):
    text = f"{v:.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def point(x, y):
    return f"{number(x)} {number(y)}"


def capsule(x0, y0, x1, y1, r):
    length = math.hypot(x1 - x0, y1 - y0)
    if length < 1e-9:
        return disc(x0, y0, r)
    nx, ny = -(y1 - y0) / length * r, (x1 - x0) / length * r
    return (f"M{point(x0 + nx, y0 + ny)}A{number(r)} {number(r)} 0 0 1 {point(x0 - nx, y0 - ny)}"
            f"L{point(x1 - nx, y1 - ny)}A{number(r)} {number(r)} 0 0 1 {point(x1 + nx, y1 + ny)}z")


def disc(cx, cy, r, sweep=1):
    return (f"M{point(cx - r, cy)}A{number(r)} {number(r)} 0 1 {sweep} {point(cx + r, cy)}"
            f"A{number(r)} {number(r)} 0 1 {sweep} {point(cx - r, cy)}z")


def line(*xy):
    points = list(zip(xy[::2], xy[1::2]))
    return "".join(capsule(*a, *b, R) for a, b in zip(points, points[1:]))


def circle(cx, cy, r):
    return disc(cx, cy, r + R) + disc(cx, cy, r - R, 0)


def curve(*xy, steps=10):
    """Cubic Bézier pieces: a start, then three points each."""
    points = list(zip(xy[::2], xy[1::2]))
    path = [points[0]]
    for i in range(0, len(points) - 1, 3):
        p = points[i:i + 4]
        for k in range(1, steps + 1):
            t, u = k / steps, 1 - k / steps
            w = (u**3, 3 * u * u * t, 3 * u * t * t, t**3)
            path.append(tuple(sum(w[j] * p[j][c] for j in range(4)) for c in (0, 1)))
    return "".join(capsule(*a, *b, R) for a, b in zip(path, path[1:]))


def rect(x, y, w, h):
    return line(x, y, x + w, y, x + w, y + h, x, y + h, x, y)


def solid(*xy, r=R):
    """A filled polygon with rounded corners; its points run clockwise."""
    points = list(zip(xy[::2], xy[1::2]))
    text = "M" + "L".join(point(*p) for p in points) + "z"
    return text + "".join(capsule(*a, *b, r) for a, b in zip(points, points[1:] + points[:1]))


ICONS = {
    "train": curve(2.25, 11, 5, 11, 4.5, 3.25, 7.5, 3.25, 10, 3.25, 9, 8, 10.75, 8, 12, 8, 12.5, 6, 13.75, 5.5)
    + line(2, 13.75, 14, 13.75),
    "scalars": line(2.25, 2.5, 2.25, 13.75, 14, 13.75) + line(4.75, 10.75, 7.5, 6.75, 10, 8.75, 13.5, 3.5),
    "runs": solid(2.5, 2.75, 4.25, 2.75, 4.25, 4.25, 2.5, 4.25, r=.5) + solid(2.5, 7.25, 4.25, 7.25, 4.25, 8.75, 2.5, 8.75, r=.5)
    + solid(2.5, 11.75, 4.25, 11.75, 4.25, 13.25, 2.5, 13.25, r=.5)
    + line(7.5, 3.5, 14, 3.5) + line(7.5, 8, 14, 8) + line(7.5, 12.5, 14, 12.5),
    "graph": rect(5.75, 2, 4.5, 3.5) + rect(2, 10.5, 4.5, 3.5) + rect(9.5, 10.5, 4.5, 3.5)
    + line(8, 5.5, 8, 8, 4.25, 8, 4.25, 10.5) + line(8, 8, 11.75, 8, 11.75, 10.5),
    "histograms": curve(1.75, 13.25, 5, 13.25, 5, 4.5, 8, 4.5, 11, 4.5, 11, 13.25, 14.25, 13.25)
    + curve(1.75, 9, 3.5, 9, 4, 4, 6, 2.75) + curve(14.25, 9, 12.5, 9, 12, 4, 10, 2.75),
    "play": solid(4.75, 3, 12.25, 8, 4.75, 13, r=1),
    "pause": solid(4.25, 3.25, 6, 3.25, 6, 12.75, 4.25, 12.75) + solid(10, 3.25, 11.75, 3.25, 11.75, 12.75, 10, 12.75),
    "step": solid(3.5, 3.5, 9, 8, 3.5, 12.5, r=1) + solid(11.75, 3, 12.5, 3, 12.5, 13, 11.75, 13),
    "stop": solid(4, 4, 12, 4, 12, 12, 4, 12, r=1),
    "menu": line(2.5, 4, 13.5, 4) + line(2.5, 8, 13.5, 8) + line(2.5, 12, 13.5, 12),
    "sidebar": rect(2, 3, 12, 10) + line(6, 3, 6, 13),
    "plus": line(8, 2.75, 8, 13.25) + line(2.75, 8, 13.25, 8),
    "folder": line(2, 13, 2, 3.5, 6, 3.5, 7.5, 5.5, 14, 5.5, 14, 13, 2, 13),
    "close": line(4, 4, 12, 12) + line(12, 4, 4, 12),
    "down": line(4.25, 6.25, 8, 10, 11.75, 6.25),
    "warn": line(8, 2.25, 14.25, 13.25, 1.75, 13.25, 8, 2.25) + line(8, 6.5, 8, 9.25) + disc(8, 11.25, .9),
    "info": circle(8, 8, 5.75) + line(8, 7.5, 8, 11) + disc(8, 5.1, .9),
    "model": line(3, 13.75, 3, 2.25, 9.5, 2.25, 13, 5.75, 13, 13.75, 3, 13.75) + line(6.25, 7.5, 5, 9.5, 6.25, 11.5)
    + line(9.75, 7.5, 11, 9.5, 9.75, 11.5),
    "more": disc(3, 8, 1.25) + disc(8, 8, 1.25) + disc(13, 8, 1.25),
    "running": disc(8, 8, 3.5),
    "finished": line(3, 8.5, 6.5, 12, 13, 4.5),
    "stopped": solid(5, 5, 11, 5, 11, 11, 5, 11, r=.75),
    "failed": line(4, 4, 12, 12) + line(12, 4, 4, 12),
    "interrupted": solid(9.25, 2, 8.5, 6.75, 12.25, 6.75, 6.5, 14, 7.25, 9, 3.75, 9, r=.4),
    "imported": line(8, 2, 8, 10) + line(4.75, 7, 8, 10.25, 11.25, 7) + line(2.75, 13.5, 13.25, 13.5),
}
ICONS["paused"] = ICONS["pause"]


def main():
    args = [a for a in sys.argv[1:] if a != "--check"]
    folder = args[0] if args else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "ui", "icons")
    made = {}
    for name, path in ICONS.items():
        made[f"ts-{name}-symbolic.svg"] = (
            '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">'
            f'<path fill="#000" d="{path}"/></svg>\n')
    if "--check" in sys.argv:
        wrong = sorted(set(os.listdir(folder)) ^ set(made))
        for name, text in made.items():
            path = os.path.join(folder, name)
            if os.path.exists(path) and open(path, encoding="utf-8").read() != text:
                wrong.append(name)
        if wrong:
            sys.exit("make-icons.py: not what the script makes: " + ", ".join(wrong))
        return
    os.makedirs(folder, exist_ok=True)
    for name, text in made.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
