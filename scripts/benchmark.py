"""Score a new model with every available judge, compare new verdicts on it, and write its page."""

import pandas as pd

from turingstats.config.settings import Judges, LanguageModels
from turingstats.config.study import Study
from turingstats.config.subset import list_language_judges
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.figures.fonts import write_page
from turingstats.new_model import responses, scores, verdicts
from turingstats.new_model.benchmark_page import describe_findings, render_benchmark

with report_errors(snakemake.log[0]):
    params, given, output = snakemake.params, snakemake.input, snakemake.output
    study, task, options = Study(**params.study), params.task, params.options
    settings, estimates = LanguageModels(**params.llm), files.read_frame(given.estimates)
    known = files.read_frame(given.responses)
    matched = scores.add_agent(study, task, params.name)
    matching = pd.DataFrame(columns=responses.MATCHING)
    differences = pd.DataFrame(columns=verdicts.DIFFERENCES)
    rows, absent = [], {}
    if given.verdicts:
        seen = verdicts.add_new_judges(study, task, params.name)
        judgments = verdicts.read_verdicts(given.verdicts, seen, task, params.values)
        counts = files.read_frame(given.counts)
        judgments = verdicts.match_names(judgments, counts["stimulus"].dropna().unique())
        new_counts = verdicts.count_new_verdicts(judgments, seen)
        rows += verdicts.list_scores(new_counts, seen, options)
        level = options["confidence"]
        differences = verdicts.compare_with_agents(counts, new_counts, study, seen, task, level)
    if given.submitted:
        submitted = responses.read_responses(given.submitted, task, study)
        new, matching = responses.match_stimuli(submitted, known, task, study, given.submitted)
        whole = pd.concat([known, new.astype(object)], ignore_index=True)
        trained, absent = scores.score_by_trained_judges(
            whole, matched, task, Judges(**params.judges), options
        )
        asked, unasked = scores.score_by_language_models(whole, matched, task, settings, options)
        rows += trained + asked
        absent |= unasked
    here = {name for name, *_ in list_language_judges(study.tasks[task], settings)}
    rows += scores.list_scores_by_people(estimates, study, task)
    generated = params.data.startswith("generated data")
    rows += scores.list_scores_by_published(estimates, study, task, here, generated)
    table = scores.build_scores(rows, matched, study, task).assign(data=params.data)
    shown = table[table["reading"] == params.reading]
    about = {
        "name": params.name,
        "task": study.tasks[task].label,
        "reference": study.reference,
        "reading": params.reading,
        "data": params.data,
        "level": options["confidence"],
        "seed": options["seed"],
    }
    files.write_frame(table, output.scores)
    files.write_frame(differences.assign(data=params.data), output.differences)
    files.write_frame(matching, output.matching)
    page = render_benchmark(given.template, shown, differences, matching, absent, about)
    write_page(page, output.page)
    if len(matching):
        print(matching["note"].replace("", "matched").value_counts().to_string())
    print("\n".join(describe_findings(shown, params.name)))
    for judge, reason in absent.items():
        print(f"not available: {judge}: {reason}")
