"""Titles and captions of the figures and tables that are made for every study, not named in its file.

Captions are for readers who have not read the paper: the question, how to read the picture, what to mind.
They state no results, since the same figure is drawn from observed, public and generated data.
"""

TITLES = {
    "judge_spread": "How far judges differ",
    "sample": "Judges, verdicts and stimuli",
    "agreement": "Agreement of judges about the same responses",
    "model_contrasts": "Agents, and levels of other factors, compared in the mixed models",
    "across_tasks": "How well the same people judge in two tasks",
    "people_and_machines": "Machine judges beside people who judged the same responses",
    "rating_summary": "Ratings and scores by agent",
    "forest": "What mixed models say of each agent",
    "abilities": "Judges and stimuli: bias, sensitivity and difficulty in the mixed models",
    "equivalence": "Agents within the margin of people, and those that are not",
    "signal": "Signal detection: d' and criterion",
    "claims_overview": "Published and recomputed numbers",
    "audit": "What gives responses away before a machine judge is trained",
    "what_changes": "What changes when judges and stimuli differ at random",
    "versions": "Numbers that both versions of the paper print",
    "llm": "Language models as judges",
    "power": "Power by judges and trials per judge",
    "looks": "Boundaries for looks at the data as they come",
}
"""Figures and tables that are made for every study and not named in its file."""
CAPTIONS = {
    "judge_spread": (
        "Do judges differ more in how often they are right than chance alone would make them differ? "
        "Shapes show how the judges of a group spread, separately for responses of people and of machines, "
        "with diamonds at the medians and a white line for each judge. "
        "Black lines span what to expect if all judges of a group were equally accurate, "
        "so only shapes well beyond them suggest real differences. "
        "With few verdicts per judge, both are wide."
    ),
    "across_tasks": (
        "Are people who judge well in one task also good judges in another? "
        "Each dot is a person who judged in both tasks, placed by the share of right verdicts in each, "
        "with bars for the uncertainty of that person's share; dashed lines mark chance. "
        "Few verdicts per person pull the plain correlation r toward zero; the correlation of abilities "
        "allows for that, but is uncertain, as its interval shows."
    ),
    "people_and_machines": (
        "Are machine judges right as often as people, and do they agree with people as people do? "
        "Each row is a machine judge beside a group of people who judged the same responses; the mark is the "
        "share of people's verdicts that are right minus the machine's, and the line its interval. "
        "Left of the dashed line, the machine is right more often. "
        "Being right more often is not the same as judging as people do: for that, see the numbers at the "
        "right, where agreement can only be as high as that of people with each other."
    ),
    "power": (
        "How many judges, with how many trials each, does a study need? "
        "Each panel is a question, each line a number of trials per judge, and the height the share of "
        "simulated studies that answer the question; bars show how well so many simulations know that share. "
        "The dashed line is the power asked for, and a ring marks the cheapest design that has it. "
        "Lines that stay apart from 1 on the right have too few stimuli, or too small a difference."
    ),
    "looks": (
        "When may a study stop early? "
        "At the left, the boundary that the test statistic must reach at each look, by information so far; "
        "at the right, what looks cost and save compared with a single test at the end. "
        "A kind whose boundaries fall steeply hardly ever stops at the first look, but costs almost nothing; "
        "a flat one stops earlier and needs more judges if the study goes on to the end. "
        "Looks that were not planned are not covered."
    ),
    "forest": (
        "Can judges tell each machine from people if judges and responses differ in ways of their own? "
        "Each row is a machine; the circle is its detectability in a mixed model of single verdicts, the "
        "diamond the same without a model, and the lines are intervals. "
        "An interval that contains the dashed line, chance, leaves open whether judges can tell at all. "
        "The p values are not corrected for the number of machines."
    ),
    "abilities": (
        "Which judges are better or more biased than others, and which responses are harder to judge? "
        "Each dot is a judge or a stimulus, in increasing order, as its deviation from the average "
        "(dashed) in a mixed model; lines are intervals, the ends are dark, and all charts share one scale. "
        "An interval that contains zero cannot be told from the average. "
        "Values shrink toward the average if they rest on few verdicts, so their order is not a ranking."
    ),
    "equivalence": (
        "Is a machine judged human as often as people are, up to a margin that would not matter? "
        "Each row is a machine; the mark is its share judged human minus that of people, and the shaded "
        "band is the margin. A thick line inside the band means equivalent, a thin line that misses "
        "zero means distinguishable, and neither means undecided. "
        "Undecided is not equivalent: the last column tells how many judges a decision needs."
    ),
    "signal": (
        "Are judges unable to tell machines from people, or are they only biased toward one answer? "
        "Each row is a group of judges: detectability and d' are higher the better they tell the two "
        "apart, the criterion is positive if they hesitate to say machine; numbers beside the marks are "
        "values and intervals, dashed lines chance or no bias. "
        "Groups that combine others share their judges with them, and are not independent. "
        "Choices between a person and a machine have no criterion."
    ),
    "audit": (
        "Could a machine judge tell responses by something trivial, such as their length? "
        "In the matrices, each cell is the share of stimuli to which two sources gave exactly the same "
        "response; each mark below is the accuracy of a rule that sees one simple feature alone, "
        "and the dashed line is chance. "
        "A red frame or diamond would make the task of a judge trivial, or two sources the same. "
        "Only tasks whose responses are at hand are shown."
    ),
    "claims_overview": (
        "Do the numbers printed in the paper follow from the data? "
        "Each mark is a printed number, plotted against the one recomputed here; marks on the line agree. "
        "Numbers without public data cannot be checked and are not shown."
    ),
    "llm": (
        "Do language models judge as people do? "
        "Each matrix is a judge or a group of judges: rows are who made a response, columns the verdict, "
        "and blue cells hold more than half of their row. "
        "Panels marked as asked here come from a model queried by this project, not by the paper, "
        "and answers without a readable verdict are left out."
    ),
}
"""Captions of those that are figures."""
