"""Score a new model with every judge at hand, and write its page."""

from turingstats.config.settings import Judges, LanguageModels
from turingstats.config.study import Study
from turingstats.config.subset import language_judges
from turingstats.core import files
from turingstats.core.errors import reported
from turingstats.new_model import benchmark

with reported(snakemake.log[0]):
    import pandas as pd

    params, output = snakemake.params, snakemake.output
    study, task, options = Study(**params.study), params.task, params.options
    responses = files.read(snakemake.input.responses)
    given = benchmark.read(snakemake.input.submitted, task)
    new, matching = benchmark.match(given, responses, task, study, snakemake.input.submitted)
    whole = pd.concat([responses, new.astype(object)], ignore_index=True)
    matched = benchmark.with_agent(study, task, params.name)
    settings, estimates = LanguageModels(**params.llm), files.read(snakemake.input.estimates)
    here = {name for name, *_ in language_judges(task, settings)}
    generated = params.data.startswith("generated data")
    others = benchmark.by_people(estimates, study, task)
    others += benchmark.by_published(estimates, study, task, here, generated)
    trained, absent = benchmark.by_trained_judges(
        whole, matched, task, Judges(**params.judges), options
    )
    asked, unasked = benchmark.by_language_models(whole, matched, task, settings, options)
    absent |= unasked
    scores = benchmark.score(trained + asked + others, matched, study, task)
    scores = scores.assign(data=params.data)
    shown = scores[scores["reading"] == params.reading]
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
    files.write(scores, output.scores)
    files.write(matching, output.matching)
    files.write_text(
        benchmark.page(snakemake.input.template, shown, matching, absent, about), output.page
    )
    print(matching["note"].replace("", "matched").value_counts().to_string())
    print("\n".join(benchmark.findings(shown, params.name)))
    for judge, reason in absent.items():
        print(f"not at hand: {judge}: {reason}")
