"""The programs of README.md and docs/python.md run, and print what is shown below them."""

from __future__ import annotations

import contextlib
import io
import os
import re
import typing as t

import pandas
import pytest

import noema_agent

from .conftest import ADDRESS, KEY

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FILES = [os.path.join(ROOT, "README.md"), os.path.join(os.path.dirname(ROOT), "docs", "python.md")]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def pattern(shown: str) -> str:
    """What is shown as a pattern: an ellipsis stands for anything in its line."""
    return ".*".join(map(re.escape, shown.split("…")))


@pytest.mark.parametrize("file", FILES, ids=os.path.basename)
def test_programs_print_what_is_shown(file: str, noema: noema_agent.Noema, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOEMA_ADDRESS", ADDRESS)
    monkeypatch.setenv("NOEMA_API_KEY", KEY)
    p1 = noema.processor("P1")
    p1.clear_all_memory()
    for name in p1.list_encoders():
        p1.delete_encoder(name)
    with open(file, encoding="utf-8") as text:
        blocks = BLOCK.findall(text.read())
    programs = [at for at, (language, _) in enumerate(blocks) if language == "python"]
    assert programs
    names: t.Dict[str, t.Any] = {}
    for at in programs:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), pandas.option_context("display.width", 200):
            exec(blocks[at][1].replace("http://127.0.0.1:8787", ADDRESS), names)
        language, shown = blocks[at + 1]
        assert language == "text"
        assert re.fullmatch(pattern(shown), printed.getvalue()), printed.getvalue()
