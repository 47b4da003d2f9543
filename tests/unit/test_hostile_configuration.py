"""Configurations and study files that mean harm, or are merely odd: refused with a key and a fix, in time."""

import re
import time

import pytest

from turingstats.config import raw_files
from turingstats.config.settings import Config
from turingstats.config.subset import load_study
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError
from turingstats.data import provenance

KEY = "sk-proj-A1b2C3d4E5f6G7h8I9j0"
STUDY = (
    "title: T\nagents: {bot: {label: Bot}}\ntasks: {chat: {label: C, cohorts: {lab: {label: L}}}}\n"
)
SOURCES = (
    "folder: x\nfiles: [{path: t.csv, format: verdict_table, task: chat, columns: {judge: who}}]\n"
)

CONFIGS = [
    ({"sed": 1}, r"mine\.yaml is not valid:\n  sed: unknown key"),
    ({"data": {"sourc": "demo"}},
     r"data\.sourc: unknown key; known here: allow_missing, commit, repository, source"),
    ({"seed": "many"}, "many"),
    ({"confidence": 95}, "less than 1"),
    ({"figures": {"formats": ["gif"]}}, r"figures\.formats\.0: .*'png'.*'gif'"),
    ({"pathvars": {"result": "x"}}, r"pathvars\.result: unknown key; known here: results"),
    ({"resamples": {"bootstrap": 3}}, "100"),
    ({"llm": {"models": ["a b", "A-b"]}}, "two models"),
    ({"llm": {"parameters": {"model": "x"}}}, "cannot be set here"),
    ({"study": "../subsets/color"}, "study"),
    ({"pathvars": {"results": "/"}}, "results"),
    ({"pathvars": {"results": "./config"}}, "results"),
    ({"api_key": "x"}, "api_key"),
    ({"data": {"repository": "https://me:hunter2@example.org/x.git"}}, "repository"),
    ({"seed": float("nan")}, "seed"),
    ({"seed": -1}, "seed"),
    ({"figures": {"dpi": 10**9}}, "dpi"),
    *(
        ({"llm": {"base_url": url}}, r"llm\.base_url: .*an address")
        for url in (
            "localhost:8000", "file:///etc", "ftp://host/v1", "https://host:port/v1",
            "https://me:hunter2@host/v1", f"https://host/v1?key={KEY}",
        )
    ),
    *(
        ({"llm": {"key_variable": key}}, "not the name of an environment variable")
        for key in (KEY, "hunter2a1b2c3d4e5f6a7b8", "MY KEY", "")
    ),
    *(
        ({"llm": {"parameters": parameters}}, r"llm\.parameters\.\S+ looks like a secret")
        for parameters in (
            {"api_key": "hunter2"}, {"extra_headers": {"X-Api-Key": "hunter2"}}, {"user": KEY},
        )
    ),
]  # fmt: skip
BOMB = "a0: &a0 {x: 1}\n"
BOMB += "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
STUDIES = [
    (BOMB, "aliases .* more than 1,000,000"),
    ("x: &a [*a]\n", "aliases"),
    ("[1, 2]\n", "no keys"),
    ("title: T\ntitle: U\n", "title occurs twice, first in line 1"),
    (STUDY.replace("bot: {label: Bot}", "bot: {label: Bot, label: Bat}"), "label occurs twice"),
    ("title: T\n\tagents: {}\n", "line 2"),
    (STUDY.replace("bot:", "no:"), "YAML reads this as False: put it in quotes"),
    (STUDY.replace("bot:", "all:"), "agents: 'all' cannot be a name"),
    (STUDY.replace("label: Bot}", "label: Bot}, BOT: {label: X}"), "differ only in letter case"),
    (STUDY.replace("label: Bot", "label: Bot, aliases: [human]"), "human means people"),
    (STUDY + "claims: [../../etc]\n", "claims"),
    (STUDY + "bands: {confidence: [5, 1]}\n", r"bands: .*confidence.*increas"),
    (STUDY + "demographics: {gender: {x: [yes]}}\n", "in quotes"),
    (STUDY.replace("{bot: {label: Bot}}", "[bot]"), "agents"),
    (STUDY.replace("title: T", f"title: {KEY}"), "title looks like a secret"),
    (STUDY.replace("title: T", "study: other\ntitle: T"), "rename the file"),
    (STUDY + "include: [../../../etc/passwd]\n", "a file below its folder"),
    (STUDY + "include: [./other.yaml]\n", "a part cannot include others"),
    (STUDY + "include: [gone.yaml]\n", "There is no"),
    ("title: T\ntasks: {a: {label: A}}\n", "cohorts .* or references"),
]  # fmt: skip
SOURCE_FILES = [
    (SOURCES.replace("t.csv", "../t.csv"), r"files\.0\.path"),
    (SOURCES.replace("task: chat", "task: chat, join: {table: ../q.csv, by: who}"), "table"),
    (SOURCES.replace("task: chat", "task: chat, values: {verdict: {no: machine}}"), "in quotes"),
    (SOURCES + "password: x\n", "password looks like a secret"),
]  # fmt: skip
ACCEPTED = [
    STUDY,
    "\ufeff" + STUDY,
    STUDY.replace("\n", "\r\n"),
    STUDY.replace("bot:", "böt:"),
    STUDY.replace("label: Bot", 'label: "<script>alert(1)</script> & {{ 7 * 7 }}"'),
    STUDY.replace("title: T", "title: how to write sk-learn, a token, and a password"),
]


def check_refusal(load, key):
    """Check that something is refused in time, with its key and a fix, and without the secret."""
    start = time.monotonic()
    with pytest.raises(ConfigError, match=f"(?s){key}") as error:
        load()
    assert time.monotonic() - start < 5
    assert re.search("fix:|known:", str(error.value))
    assert KEY not in str(error.value) and "hunter2" not in str(error.value)


@pytest.mark.parametrize(("values", "key"), CONFIGS, ids=lambda value: str(value)[:40])
def test_hostile_configurations_are_refused(values, key):
    check_refusal(lambda: yaml_models.build_model(Config, values, "mine.yaml"), key)


def test_addresses_names_of_variables_and_parameters_are_taken():
    parameters = {"max_tokens": 9, "prompt_cache_key": "a", "stop_token_ids": [1], "logit_bias": {}}
    values = {"base_url": "http://[::1]:8000/v1/", "key_variable": "MY_KEY_OF_2025"}
    llm = values | {"parameters": parameters}
    found = yaml_models.build_model(Config, {"llm": llm}, "mine.yaml").llm
    assert (found.base_url, found.key_variable) == ("http://[::1]:8000/v1", "MY_KEY_OF_2025")
    assert found.parameters == parameters


@pytest.mark.parametrize(("text", "key"), STUDIES, ids=lambda value: str(value)[:40])
def test_hostile_study_files_are_refused(tmp_path, text, key):
    (tmp_path / "own.yaml").write_text(text)
    (tmp_path / "other.yaml").write_text("include: [own.yaml]\n")
    check_refusal(lambda: load_study(tmp_path / "own.yaml"), key)


@pytest.mark.parametrize(("text", "key"), SOURCE_FILES, ids=lambda value: str(value)[:40])
def test_hostile_sources_are_refused(tmp_path, text, key):
    (tmp_path / "own.yaml").write_text(text)
    check_refusal(lambda: raw_files.load_sources(tmp_path / "own.yaml"), key)


@pytest.mark.parametrize("text", ACCEPTED)
def test_odd_study_files_are_accepted(tmp_path, text):
    (tmp_path / "own.yaml").write_text(text, newline="")
    assert load_study(tmp_path / "own.yaml").tasks


def test_a_file_in_another_encoding_is_refused(tmp_path):
    path = tmp_path / "latin.yaml"
    path.write_bytes("title: Größe\n".encode("latin-1"))
    check_refusal(lambda: load_study(path), "latin.yaml.*not UTF-8")


def test_whole_paths_do_not_stand_in_provenance():
    values = {"pathvars": {"results": "/home/me/results"}, "csv": "~/x.csv", "formats": ["pdf"]}
    config = values | {"data": {"source": "/home/me/checkout"}}
    text = str(provenance.describe_run(config, {"kind": "/home/me/checkout"}))
    assert "/home/me" not in text and "~" not in text
    assert "a path outside the project" in text and "'formats': ['pdf']" in text
