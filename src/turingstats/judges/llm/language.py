"""Language models as judges: ask questions, and collect the verdicts in the judgments table.

Every response that is asked about yields exactly one verdict, or one unparsed row with its reason.
"""

import concurrent.futures
import datetime
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd

from turingstats.config.settings import LanguageModels
from turingstats.config.study import Study
from turingstats.config.subset import list_judged_tasks, list_language_judges
from turingstats.core.errors import ConfigError
from turingstats.core.templating import PAGES, make_environment
from turingstats.data import schema
from turingstats.judges.llm import answers, chat, prompts


@dataclass(frozen=True)
class Job:
    """A question to a model."""

    cohort: str
    judge: str
    model: str
    trial: int
    question: prompts.Question


@dataclass(frozen=True)
class Outcome:
    """Outcome of a question: verdicts, or the reason why there are none."""

    verdicts: list[answers.Truth]
    reason: str
    # The answers to the question and to its reminder, and the cache key of the last.
    replies: list[chat.Answer]
    key: str


def list_jobs(
    responses: pd.DataFrame, study: Study, settings: LanguageModels, seed: int
) -> list[Job]:
    """List every question to every model; ConfigError if the data contain no response to judge."""
    jobs = []
    for task in list_judged_tasks(study, settings):
        is_judged = responses["agent"].isin(["human", *study.tasks[task].agents])
        form = study.tasks[task].response
        asked: dict[str, list[prompts.Question]] = {
            protocol: prompts.make_questions(
                responses[is_judged], task, form, protocol, settings, seed
            )
            for protocol in settings.protocols
        }
        for cohort, model, protocol, _ in list_language_judges(study.tasks[task], settings):
            judge = f"{task}.{cohort}.w001"
            jobs += [
                Job(cohort, judge, model, number, question)
                for number, question in enumerate(asked[protocol], start=1)
            ]
    if not jobs:
        raise ConfigError(
            f"There are no responses of {', '.join(list_judged_tasks(study, settings))} to judge in this "
            "source.\n"
            "  fix:     see data/missing.csv of the run; data.source: public fetches what is public, and "
            "demo generates"
        )
    return jobs


def plan_calls(jobs: list[Job], study: Study, client: chat.Client) -> pd.DataFrame:
    """Estimate the calls and tokens of a run: one row per task, model and protocol."""
    # A question whose answer is cached, or that is identical to an earlier one, needs no call ("cached").
    # Questions that are repeated because an answer cannot be parsed are not included.
    rows, asked = [], set()
    for job in jobs:
        question = job.question
        body = client.build_request(job.model, list(question.messages))
        key = client.find_cache_key(body)
        cached = key in asked or client.find_cached_answer(body) is not None
        asked.add(key)
        tokens = 0 if cached else chat.estimate_tokens(body["messages"])
        judged = (job.model, question.protocol, has_image(question), question.stimulus)
        counted = (len(question.items), cached, not cached, tokens)
        rows.append((study.study, question.task, job.cohort, *judged, *counted))
    head = ["study", "task", "cohort", "model", "protocol", "image"]
    counts = ["responses", "cached", "calls", "tokens_in"]
    table = pd.DataFrame(rows, columns=[*head, "stimulus", *counts])
    parts = table.groupby(head, sort=False)
    stimuli = parts["stimulus"].agg(stimuli="nunique", questions="size")
    planned = stimuli.join(parts[counts].sum()).reset_index()
    most = client.settings.most_answered
    return planned.assign(most_tokens_out=None if most is None else most * planned["calls"])


def ask_question(job: Job, client: chat.Client, environment: jinja2.Environment) -> Outcome:
    """Ask one question, and once more, with the template `reminder.txt`, if the answer cannot be parsed."""
    question = job.question
    messages = list(question.messages)
    replies, verdicts = [], []
    while not verdicts and len(replies) < 2:
        answer, key = client.ask(client.build_request(job.model, messages))
        replies.append(answer)
        try:
            verdicts, reason = answers.read_verdicts(answer, question.kind, len(question.items)), ""
        except answers.Unreadable as problem:
            reason = str(problem)
            if answer.finish_reason == "content_filter":
                break
            reminder = prompts.fill_template(
                environment, "reminder", problem=reason, kind=question.kind, n=len(question.items)
            )
            messages += [
                {"role": "assistant", "content": answer.text or "(no answer)"},
                {"role": "user", "content": reminder},
            ]
    return Outcome(verdicts, reason, replies, key)


def ask_all_questions(
    jobs: list[Job], client: chat.Client, environment: jinja2.Environment
) -> list[Outcome]:
    """Ask all questions concurrently, and return outcomes in their order."""
    # The first error that retries do not fix ends the run. Calls in progress are finished, and their answers
    # are kept.
    with concurrent.futures.ThreadPoolExecutor(client.settings.concurrency) as pool:
        asked = [pool.submit(ask_question, job, client, environment) for job in jobs]
        try:
            for number, future in enumerate(concurrent.futures.as_completed(asked), start=1):
                future.result()
                if number % 500 == 0:
                    print(f"{number} of {len(asked)} questions answered", flush=True)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return [future.result() for future in asked]


def judge_responses(
    responses: pd.DataFrame,
    study: Study,
    llm: LanguageModels,
    seed: int,
    client: chat.Client | None = None,
) -> dict[str, pd.DataFrame]:
    """Let the configured language models judge: tables judgments, answers and unparsed."""
    client = client or chat.Client(llm)
    jobs = list_jobs(responses, study, llm, seed)
    calls = int(plan_calls(jobs, study, client)["calls"].sum())
    if calls > llm.max_calls:
        raise chat.BudgetError(
            f"This run needs {calls} calls, and llm.max_calls is {llm.max_calls}. Raise it, ask "
            "fewer models or tasks (llm.models, llm.tasks) or fewer stimuli (llm.stimuli). Nothing was "
            "asked. `snakemake llm_dry_run` shows the prompts."
        )
    outcomes = ask_all_questions(jobs, client, prompts.load_templates(llm.prompts))
    print(
        f"{len(jobs)} questions, {len(jobs) - calls} of them answered before; {client.calls} calls"
    )
    return tabulate_outcomes(jobs, outcomes, study, client)


def tabulate_outcomes(
    jobs: list[Job], outcomes: list[Outcome], study: Study, client: chat.Client
) -> dict[str, pd.DataFrame]:
    """Tabulate outcomes; see `judge_responses`."""
    names = ("judgments", "answers", "unparsed")
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for job, outcome in zip(jobs, outcomes, strict=True):
        question = job.question
        head: dict[str, Any] = {"study": study.study, "task": question.task, "cohort": job.cohort}
        head |= {"judge": job.judge, "trial": job.trial}
        kept = {"reason": outcome.reason, "answer": outcome.key}
        for position, item in enumerate(question.items, start=1):
            row = head | {"position": position, "stimulus": question.stimulus} | item
            if outcome.verdicts:
                row |= {"judge_kind": "llm", "phase": "test"}
                rows["judgments"].append(row | {"verdict": outcome.verdicts[position - 1]})
            else:
                rows["unparsed"].append(row | kept)
        rows["answers"].append(head | kept | describe_answer(job, outcome, client))
    columns = {name: schema.RESULTS.get(f"model_{name}", [*schema.JUDGMENTS]) for name in rows}
    tables = {name: pd.DataFrame(rows[name]).reindex(columns=columns[name]) for name in rows}
    tables["judgments"] = schema.check_judgments(tables["judgments"], "verdicts of language models")
    return tables


def describe_answer(job: Job, outcome: Outcome, client: chat.Client) -> dict[str, Any]:
    """Describe an answer for the table of answers."""
    question, replies, last = job.question, outcome.replies, outcome.replies[-1]
    created = None
    if last.created is not None:
        created = datetime.datetime.fromtimestamp(last.created, datetime.UTC).isoformat()
    return {
        "stimulus": question.stimulus,
        "protocol": question.protocol,
        "model": job.model,
        "model_reported": last.model,
        "temperature": client.settings.temperature,
        "image": has_image(question),
        "n": len(question.items),
        "unparsed": 0 if outcome.verdicts else len(question.items),
        "attempts": len(replies),
        # Empty if the endpoint counts none.
        "tokens_in": sum(answer.tokens_in or 0 for answer in replies) or None,
        "tokens_out": sum(answer.tokens_out or 0 for answer in replies) or None,
        "created": created,
    }


def has_image(question: prompts.Question) -> bool:
    """Return whether a question includes an image."""
    return not isinstance(question.messages[0]["content"], str)


def write_script(jobs: list[Job], settings: LanguageModels) -> str:
    """Format prompts as text, with the settings of their requests."""
    template = make_environment(PAGES, escape=False).get_template("llm_plan.txt")
    return template.render(jobs=jobs, settings=settings)


def summarize_plan(
    jobs: list[Job], planned: pd.DataFrame, settings: LanguageModels, where: str | Path
) -> str:
    """Summarize a dry run: the plan, the first prompt of each judge, and the file `where` all prompts are."""
    firsts = {job.judge: job for job in reversed(jobs)}
    calls, tokens = planned["calls"].sum(), planned["tokens_in"].sum()
    return (
        f"{write_script(list(firsts.values())[::-1], settings)}\n"
        f"{planned.drop(columns='study').to_string(index=False)}\n\n"
        f"{calls} calls to make (llm.max_calls {settings.max_calls}), about {tokens} tokens to send\n"
        f"The first prompt of each judge is above; all prompts are in {where}\n"
    )
