# Reference values of tests/oracle/test_contrasts_against_r.py: contrasts of agents by emmeans on lme4 fits of
# the bundled trials of Color estimation and of Object detection.
#   Rscript tests/oracle/make_contrasts_reference.R > tests/oracle/contrasts_reference.json
# glmer's defaults stop early, so tolerances are tight.
suppressPackageStartupMessages({
  library(lme4)
  library(emmeans)
})
tight <- glmerControl(
  optimizer = "nloptwrap", tolPwrss = 1e-13, check.conv.singular = "ignore",
  optCtrl = list(xtol_abs = 1e-10, ftol_abs = 1e-10, maxeval = 1e5)
)
as_rows <- function(x) lapply(seq_len(nrow(x)), function(i) as.list(x[i, ]))

compare <- function(task, cohort, formula, factor) {
  trials <- read.csv(sprintf("data/observed/zhang2025/%s_trials.csv", task))
  trials <- trials[trials$cohort == cohort & trials$control_ok == "yes" & trials$verdict %in% c("human", "machine"), ]
  trials$said_machine <- as.integer(trials$verdict == "machine")
  trials$agent <- relevel(factor(trials$agent), "human")
  trials$stimulus <- factor(trials$stimulus)
  # Whether the trial is in the first half of a session: a second factor.
  trials$half <- factor(ifelse(trials$position <= 15, "first", "second"))
  fit <- glmer(as.formula(formula), trials, binomial, control = tight)
  grid <- emmeans(fit, factor)
  pairs <- summary(contrast(grid, "pairwise"), adjust = "holm", infer = c(TRUE, TRUE))
  # Intervals are single ones: emmeans would adjust them.
  single <- confint(contrast(grid, "pairwise"), adjust = "none")
  pairs$low <- single$asymp.LCL
  pairs$high <- single$asymp.UCL
  raw <- summary(contrast(grid, "pairwise"), adjust = "none")
  names <- strsplit(as.character(pairs$contrast), " - ")
  rows <- data.frame(first = sapply(names, `[`, 1), second = sapply(names, `[`, 2),
                     estimate = pairs$estimate, se = pairs$SE, z = pairs$z.ratio, p = raw$p.value,
                     p_adjusted = pairs$p.value, low = pairs$low, high = pairs$high)
  list(task = task, cohort = cohort, formula = formula, factor = factor, n = nrow(trials),
       rows = as_rows(rows))
}

cases <- list(
  compare("color", "amt", "said_machine ~ agent + (1 | judge)", "agent"),
  compare("object", "amt", "said_machine ~ agent + half + (1 | judge) + (1 | stimulus)", "agent"),
  compare("object", "amt", "said_machine ~ agent + half + (1 | judge) + (1 | stimulus)", "half")
)
cat(jsonlite::toJSON(list(R = R.version.string, emmeans = as.character(packageVersion("emmeans")),
                          cases = cases), auto_unbox = TRUE, digits = NA, pretty = TRUE), "\n")
