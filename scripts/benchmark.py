"""Score a new model with every available judge, and write its page."""

import pandas as pd
from turingstats.config.settings import Judges, LanguageModels
from turingstats.config.study import Study
from turingstats.config.subset import list_language_judges
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.new_model.benchmark_page import describe_findings, render_benchmark
from turingstats.new_model.responses import match_stimuli, read_responses
from turingstats.new_model.scores import (
    add_agent,
    build_scores,
    list_scores_by_people,
    list_scores_by_published,
    score_by_language_models,
    score_by_trained_judges,
)

with report_errors(snakemake.log[0]):
    params, output = snakemake.params, snakemake.output
    study, task, options = Study(**params.study), params.task, params.options
    responses = files.read_frame(snakemake.input.responses)
    submitted = read_responses(snakemake.input.submitted, task, study)
    new, matching = match_stimuli(submitted, responses, task, study, snakemake.input.submitted)
    whole = pd.concat([responses, new.astype(object)], ignore_index=True)
    matched = add_agent(study, task, params.name)
    settings, estimates = LanguageModels(**params.llm), files.read_frame(snakemake.input.estimates)
    here = {name for name, *_ in list_language_judges(study.tasks[task], settings)}
    generated = params.data.startswith("generated data")
    others = list_scores_by_people(estimates, study, task)
    others += list_scores_by_published(estimates, study, task, here, generated)
    trained, absent = score_by_trained_judges(
        whole, matched, task, Judges(**params.judges), options
    )
    asked, unasked = score_by_language_models(whole, matched, task, settings, options)
    absent |= unasked
    scores = build_scores(trained + asked + others, matched, study, task)
    scores = scores.assign(data=params.data)
    selected = scores[scores["reading"] == params.reading]
    about = {
        "name": params.name,
        "task": study.tasks[task].label,
        "reference": study.reference,
        "reading": params.reading,
        "data": params.data,
        "level": options["confidence"],
        "seed": options["seed"],
        "draws": options["n_bootstrap"],
    }
    files.write_frame(scores, output.scores)
    files.write_frame(matching, output.matching)
    files.write_text(
        render_benchmark(snakemake.input.template, selected, matching, absent, about), output.page
    )
    print(matching["note"].replace("", "matched").value_counts().to_string())
    print("\n".join(describe_findings(selected, params.name)))
    for judge, reason in absent.items():
        print(f"not available: {judge}: {reason}")
