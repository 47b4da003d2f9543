"""The kinds of panels of similarity ratings, one class per kind."""

from turingstats.figures.similarity.charts import Bars, Distributions, Individuals, Variability
from turingstats.figures.similarity.matrices import Matrices, Raters
from turingstats.figures.similarity.panel import Absent

KIND_OF = {
    "dissimilarity": Matrices,
    "raters": Raters,
    "variability": Variability,
    "individuals": Individuals,
    "distributions": Distributions,
    "alignment": Bars,
    "no data": Absent,
}
