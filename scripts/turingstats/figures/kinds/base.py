"""What a kind of panel is: it picks its numbers, knows its height, draws itself and explains itself."""


class PanelKind:
    """A kind of panel, without state.

    Each module of this package has one; the model of what a study file says of it stands in
    `turingstats.config.study.panels`.

    Attributes
    ----------
    kinds : tuple of str
        What study files and source data call it, as `kind`.
    counts_judges : bool
        The number of judges stands below its title.
    shows_rates_in_color : bool
        It needs the color scale of the figure.
    """

    kinds = ()
    counts_judges = False
    shows_rates_in_color = False

    def select(self, panel, results, study, reading):
        """Pick the numbers that a panel shows.

        Parameters
        ----------
        panel : turingstats.config.study.panels.AnyPanel
        results : dict of str to pandas.DataFrame
        study : turingstats.config.study.Study
        reading : str

        Returns
        -------
        list of dict
            Rows of the source data; none where there are no numbers.
        """
        raise NotImplementedError(f"nothing is picked for {self.kinds}")

    def share_scales(self, data, tight):
        """What the panels of a figure have in common, such as scales; `Look.shared` holds it by kind.

        Parameters
        ----------
        data : pandas.DataFrame
            Source data of the figure.
        tight : bool
        """
        return {}

    def measure_height(self, rows, width, look):
        """Height below the title (mm); 0 takes what room there is."""
        return 0

    def draw(self, canvas, rows, left, top, width, height, look):
        """Draw the rows of a panel into a box of the page (mm)."""
        raise NotImplementedError(f"{self.kinds} is drawn by other panels")

    def explain(self, data, foot):
        """Sentences for the foot of the figure.

        Parameters
        ----------
        data : pandas.DataFrame
            Source data of the figure.
        foot : turingstats.figures.look.Foot

        Returns
        -------
        list of str
        """
        return []

    def describe_sample(self, rows):
        """How many judges a panel rests on; empty for one machine judge, which its title names."""
        numbers = rows["n_judges"].dropna()
        if not self.counts_judges or numbers.empty:
            return ""
        if rows["judge_kind"].iloc[0] != "human" and numbers.max() == 1:
            return ""
        return format_range(numbers) + (" judge" if numbers.max() == 1 else " judges")


def format_range(numbers):
    """Least to greatest number, or the one that all are."""
    low, high = numbers.min(), numbers.max()
    return f"{high:,.0f}" if low == high else f"{low:,.0f}\N{EN DASH}{high:,.0f}"
