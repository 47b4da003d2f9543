"""A planned study, planned from stated values: page, tables and pictures of one run of Snakemake."""

import csv
import io


def test_a_study_is_planned_without_any_data(planned):
    output = planned.printed
    assert "The agent differs from people: " in output
    assert "\nOpen results/zhang2025/plan/index.html\n" in output
    made = planned.project.results()
    tables = {f"plan/{name}.csv" for name in ("power", "designs", "assumptions")}
    pictures = {f"plan/power.{end}" for end in ("png", "svg")}
    assert set(made) == {*tables, *pictures, "plan/index.html", "plan/methods.txt"}
    for name in tables:
        rows = list(csv.DictReader(io.StringIO(made[name].decode())))
        label = "generated data, studies simulated from stated values"
        assert {row["data"] for row in rows} == {label}, name
    for name in pictures:
        assert name.endswith(".png") or b"generated data" in made[name].lower(), name
    page = made["plan/index.html"].decode()
    assert "Simulated studies: no one was observed" in page
    assert "not simulated" in page
    assert made["plan/methods.txt"].decode().strip().partition(" (")[0] in page
