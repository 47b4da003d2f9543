"""The kinds of panels of similarity ratings, one class per kind."""

from turingstats.figures.similarity.charts import (
    Bars,
    Distributions,
    Individuals,
    Printed,
    Variability,
)
from turingstats.figures.similarity.maps import Map, Maps
from turingstats.figures.similarity.matrices import Matrices, Raters
from turingstats.figures.similarity.panel import Absent

KIND_OF = {
    "matrices": Matrices,
    "raters": Raters,
    "variability": Variability,
    "individuals": Individuals,
    "distributions": Distributions,
    "map": Map,
    "maps": Maps,
    "bars": Bars,
    "printed": Printed,
    "no data": Absent,
}
