#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The colours can be read: every pair of text and background that the style sheet makes has a
contrast of at least 4.5, both sheets have the same tokens, and no rule names one that is missing."""
import os
import re
import sys

ROOT = os.environ.get("TS_SOURCE_ROOT") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
UI = os.path.join(ROOT, "ui")

# text, background
PAIRS = [(text, ground)
         for text in ("window_fg_color", "ink2", "ink3")
         for ground in ("window_bg_color", "card_bg_color", "view_bg_color", "headerbar_bg_color", "rail")]
PAIRS += [("accent_color", "card_bg_color"), ("accent_color", "window_bg_color"),
          ("accent_fg_color", "accent_bg_color"), ("selection_text", "selection"),
          ("cursor", "window_bg_color"), ("cursor_text", "cursor"), ("ok_text", "ok_bg"),
          ("warn_text", "warn_bg"), ("warn_text", "card_bg_color"), ("bad_text", "bad_bg"),
          ("bad_text", "view_bg_color")]
PAIRS += [("state_" + name, "card_bg_color")
          for name in ("running", "finished", "paused", "stopped", "failed", "interrupted", "imported")]
PAIRS += [("code_" + name, "view_bg_color")
          for name in ("comment", "string", "keyword", "call", "number", "type")]


def read(name):
    with open(os.path.join(UI, name), encoding="utf-8") as file:
        return re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)


def tokens(name):
    return dict(re.findall(r"@define-color (\w+) (#[0-9a-f]{6}|transparent);", read(name)))


def luminance(color):
    v = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    v = [c / 12.92 if c <= .04045 else ((c + .055) / 1.055) ** 2.4 for c in v]
    return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]


def contrast(a, b):
    a, b = luminance(a) + .05, luminance(b) + .05
    return max(a, b) / min(a, b)


def mix(a, b, t):
    return "#" + "".join(f"{round(int(a[i:i + 2], 16) * (1 - t) + int(b[i:i + 2], 16) * t):02x}" for i in (1, 3, 5))


def palette(name):
    with open(os.path.join(UI, "widgets", "palette.c"), encoding="utf-8") as file:
        body = re.search(rf"\b{name}\[TS_PALETTE_N\] = \{{(.*?)\}}", file.read(), re.S).group(1)
    return ["#" + c for c in re.findall(r"0x([0-9a-f]{6})", body)]


def test_contrast(sheet):
    have = tokens(sheet)
    low = [f"{text} on {ground}: {contrast(have[text], have[ground]):.2f}"
           for text, ground in PAIRS if contrast(have[text], have[ground]) < 4.5]
    assert not low, low


def test_lines(sheet, name, least):
    have, colors = tokens(sheet), palette(name)
    assert len(colors) == 12 and len(set(colors)) == 12, colors
    for color in colors:
        assert contrast(color, have["card_bg_color"]) >= least, color
        label = mix(color, have["window_fg_color"], .45)
        assert contrast(label, have["card_bg_color"]) >= 4.5, f"label of {color}"


def test_same_tokens():
    light, dark = tokens("colors-light.css"), tokens("colors-dark.css")
    assert set(light) == set(dark), set(light) ^ set(dark)
    used = set(re.findall(r"@(\w+)", read("style.css"))) - {"keyframes", "define"}
    assert used <= set(light), used - set(light)


def test_icons():
    """Every icon that is named ships, and none ships that nobody names."""
    named, listed = set(), set()
    for folder, _, files in os.walk(UI):
        for file in files:
            if file.endswith((".c", ".ui")):
                with open(os.path.join(folder, file), encoding="utf-8") as text:
                    named |= set(re.findall(r"ts-([a-z-]+)-symbolic", text.read()))
    with open(os.path.join(UI, "meson.build"), encoding="utf-8") as text:
        listed = set(re.findall(r"'([a-z-]+)'", re.search(r"^icons = \[(.*?)\]", text.read(), re.S | re.M).group(1)))
    made = {name[3:-len("-symbolic.svg")] for name in os.listdir(os.path.join(UI, "icons"))}
    assert named == listed == made, (named ^ listed, listed ^ made)


def main():
    tests = [("contrast, light", lambda: test_contrast("colors-light.css")),
             ("contrast, dark", lambda: test_contrast("colors-dark.css")),
             ("lines and labels, light", lambda: test_lines("colors-light.css", "light", 3.1)),
             ("lines and labels, dark", lambda: test_lines("colors-dark.css", "dark", 4.2)),
             ("tokens of both sheets", test_same_tokens), ("icons", test_icons)]
    print(f"1..{len(tests)}")
    failed = 0
    for number, (name, test) in enumerate(tests, 1):
        try:
            test()
            print(f"ok {number} {name}")
        except (AssertionError, KeyError) as error:
            failed += 1
            print(f"not ok {number} {name}\n# {error!r}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
