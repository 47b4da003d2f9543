"""Score the responses of a new model with every available judge, and write the table of scores."""

from pathlib import Path

import pandas as pd

from turingstats.config.settings import Judges, LanguageModels
from turingstats.config.study import Study
from turingstats.config.subset import list_language_judges
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.figures import forests, pages
from turingstats.new_model import responses, scores
from turingstats.tables import writer

with report_errors(snakemake.log[0]):
    params, given, output = snakemake.params, snakemake.input, snakemake.output
    study, task, options = Study(**params.study), params.task, params.options
    settings, estimates = LanguageModels(**params.llm), files.read_frame(given.estimates)
    known = files.read_frame(given.responses)
    matched = scores.add_agent(study, task, params.name)
    submitted = responses.read_responses(given.submitted, task, study)
    new, matching = responses.match_stimuli(submitted, known, task, study, given.submitted)
    whole = pd.concat([known, new.astype(object)], ignore_index=True)
    rows, absent = scores.score_by_trained_judges(
        whole, matched, task, Judges(**params.judges), options
    )
    asked, unasked = scores.score_by_language_models(whole, matched, task, settings, options)
    here = {name for name, *_ in list_language_judges(study.tasks[task], settings)}
    rows += asked
    generated = params.data.startswith("generated data")
    rows += scores.list_known_scores(estimates, study, task, here, generated)
    table = scores.build_scores(rows, matched, study, task).assign(data=params.data)
    files.write_frame(table, output.scores)
    files.write_frame(matching, output.matching)
    shown = table[table["reading"] == params.reading]
    sentences = scores.describe_scores(shown, matching, absent | unasked, params.name)
    title = f"{params.name}: detectability in {study.tasks[task].label}. {' '.join(sentences)}"
    about = title.removesuffix("."), params.reading, params.data, Path(output.svg).name
    writer.write_table(scores.tabulate_scores(shown), Path(output.csv), *about)
    figure = forests.draw_scores(shown, params.name, options["confidence"])
    pages.save_figure(figure, [output.svg], params.dpi, title.partition(". ")[0], sentences[0])
    print("\n".join(sentences))
