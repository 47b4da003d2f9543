"""The plan of a planned study (`plan` in the configuration)."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, field_validator

from turingstats.core.yaml_models import Model

Asked = Literal[
    "people", "chance", "agents", "same_as_people", "width", "d_prime", "d_prime_width",
]  # fmt: skip
Side = Literal["people", "agent", "other"]
Spread = Literal["judge", "judge:made_by", "stimulus", "stimulus:made_by"]
Share = Annotated[float, Field(gt=0, lt=1)]
STATED = "stated"
"""Value of `model` for a plan that rests on no study."""


class Plan(Model):
    """A planned study: what it should show, what it may consist of, and what it costs."""

    model: str | None = None
    """Fitted model (model_id in statistics/models.csv) that says how judges and stimuli vary, such as
    color.agents; null: the first that compares agents; stated: none, `rates` and `spreads` say it all."""
    agent: str | None = None
    """Agent in question; null: the one judged human nearly as often as people, the hardest to tell from
    them."""
    other: str | None = None
    """Agent that it is compared with (question agents); null: the one whose share judged human differs
    most."""
    rates: dict[Side, Share] = {}
    """Shares judged human in place of the model's, such as {people: 0.55, agent: 0.45, other: 0.5}."""
    ratings: dict[Side, Annotated[tuple[Share, ...], Field(min_length=3)]] = {}
    """Shares of the points of a rating scale, from machine to human, in place of rates: the study compares
    mean ratings; such as {people: [0.1, 0.2, 0.3, 0.4], agent: [0.2, 0.3, 0.3, 0.2]}."""
    spreads: dict[Spread, Annotated[float, Field(ge=0, le=5)]] = {}
    """Standard deviations (log odds) in place of the model's, such as {judge: 0.6, 'judge:made_by': 0.3,
    stimulus: 0.4, 'stimulus:made_by': 0.2}."""
    questions: tuple[Asked, ...] = Field(
        ("people", "chance", "agents", "same_as_people", "width"), min_length=1
    )
    """What the study should show: people, chance, agents (the agent differs from people, from one half, from
    the other agent), same_as_people (it differs by less than equivalence.margin, if there is no
    difference), width (the interval of detectability is as narrow as `width`), d_prime (d' differs from
    0), d_prime_width (its interval is as narrow as `d_prime_width`); of ratings people and agents alone."""
    judges: tuple[Annotated[int, Field(ge=5, le=20_000)], ...] = Field(
        (20, 40, 60, 100, 150, 200), min_length=1
    )
    """Numbers of judges to try."""
    trials: tuple[Annotated[int, Field(ge=1, le=2_000)], ...] = Field(
        (10, 20, 30, 40, 50, 60), min_length=1
    )
    """Numbers of trials per judge to try, up to the number of stimuli."""
    stimuli: int | None = Field(None, ge=5)
    """Stimuli of the study, out of which each judge sees as many as there are trials; null: as many as in the
    model's study."""
    own_stimuli: bool = False
    """True: each judge sees stimuli that no other judge sees (nested)."""
    people_share: float = Field(0.5, gt=0, lt=1)
    """Share of the trials that show people's responses."""
    agents: int | None = Field(None, ge=1, le=50)
    """Number of agents, which share the other trials equally; null: those in question, one or two."""
    unsure: float = Field(0.0, ge=0, lt=0.9)
    """Share of verdicts that are unsure."""
    cost_per_judge: float = Field(0.0, ge=0)
    """Cost of a judge, whatever the trials."""
    cost_per_trial: float = Field(1.0, ge=0)
    """Cost of a trial of a judge."""
    power: float = Field(0.8, gt=0.05, lt=1)
    """Share of such studies that should answer a question; also the power for which tables of equivalence
    report the required number of judges."""
    width: float = Field(0.1, gt=0, lt=1)
    """Widest interval of detectability (question width)."""
    d_prime_width: float = Field(0.5, gt=0)
    """Widest interval of d' (question d_prime_width)."""
    tests: int = Field(1, ge=1)
    """Number of tests that share the error: each is planned at its part (Bonferroni, the first step of Holm's
    correction)."""
    simulations: int = Field(1000, ge=100, le=100_000)
    """Studies to simulate for each design."""

    @field_validator("judges", "trials")
    @classmethod
    def check_order(cls, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """Check that numbers rise."""
        if list(numbers) != sorted(set(numbers)):
            raise ValueError("numbers must rise, such as [20, 40, 80]")
        return numbers

    def list_faults(self) -> Iterator[str]:
        """Check that keys fit together."""
        if len(set(self.questions)) < len(self.questions):
            yield "questions: each can be asked once"
        shares = list(self.ratings.values())
        if any(len(own) != len(shares[0]) or abs(sum(own) - 1) > 1e-6 for own in shares):
            yield "ratings: all sides need as many shares, which add up to 1"
        if shares and not {"people", "agent"} <= set(self.ratings):
            yield "ratings: needed of people and of the agent"
        if self.model == STATED:
            missing = {"people", "agent"} - set(self.ratings or self.rates)
            absent = [*(f"rates.{side}" for side in sorted(missing))]
            absent += [] if "judge" in self.spreads else ["spreads.judge"]
            if absent:
                yield f"model: stated needs {', '.join(absent)}"
            if self.stimuli is None and not self.own_stimuli:
                yield "model: stated needs stimuli, or own_stimuli: true"
