"""Statistics, figures and checked claims of Turing-like tests.

The modules follow the data, and each says in its first line what it is for:

- what a run is told: `config`, `study`, `ratings_study`, `raw_files`, all read by `declared`; `subset`,
  `defaults`, `new_study`
- raw files to tables: `sources`, `observed` (trials that come with the project) and `bundling` (how they are
  made), `simulate` (generated ones), `absence` (of a file),
  `data_labels` (observed, printed or generated), `adapters`, `schema` (the tables), `cleaning`,
  `counts`, `sizes`, `protocol`, `provenance`
- numbers: `quantities`, `estimates`, `signal_detection`, `resampling`, `judge_spread`
- people who judged several times: `shared_people` (in tests), `across_tasks`, `abilities_across`
- tests: `comparisons` (the declared ones), `tests`, `effects`, `trends`, `agreement`
- single verdicts: `models`, `mixed_models`, `equivalence`
- breakdowns: `breakdowns`, `judge_tests`, `confidence`, `codes`, `genders`
- texts: `texts`, `lengths`
- machine judges, and new models to be judged: `judges`, `benchmark`
- similarity: `ratings`, `similarity`, `alignment`, `maps`
- numbers that a paper prints: `published_counts`, `printed_rates`, `printed_alignments`
- figures: `figure_data`, `model_figures`, `similarity_figures` (their numbers); `figures` (one module each),
  made of `plots`, `panels`, `forest`, `heatmap`, `listed`, `pages`, with the words of `labels`
- tables: `tables`, `rate_tables`, `gender_tables`, `similarity_tables`, `versions`;
  `findings` (a row per task), `at_a_glance` (a row per study)
- published against recomputed: `claims`, `consistency`, `claims_page`, `inventory`, `baseline`, `report`
- whether tests hold what they promise: `calibration`
- what a run makes of a study, and which code its jobs depend on: `workflow`
- what all share: `files`, `errors`, `parallel`

Nothing here knows of Snakemake.
"""

__version__ = "0.1.0"
