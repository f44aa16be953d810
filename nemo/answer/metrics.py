"""What may be counted while questions are answered (计量): by default nothing is; the served process counts for Prometheus."""


class QuestionMetrics:
    """Counts nothing. Thread-safe, as everything that takes its place must be."""

    def question(self, outcome: str) -> None:
        """A question was answered (``answered``) or refused (the reason)."""

    def stage(self, name: str, seconds: float) -> None:
        """A stage of answering took so long."""

    def cached(self, hit: bool) -> None:
        """A question had been answered before on the same library, or had not."""


NO_MEASURES = QuestionMetrics()
