"""最近查询: a question stands there once, however its brackets, marks and blanks are written."""

from nemo.ui.answer.form import QuestionForm, newest
from nemo.ui.shared.choices import ChosenFilters


def test_the_same_question_in_other_brackets_stands_once() -> None:
    chosen, elsewhere = ChosenFilters(None, None, None, None), ChosenFilters("sd", None, None, None)
    asked = [
        QuestionForm("演能规〔2031〕9号还有效吗？", chosen),
        QuestionForm("演能规[2031]9号还有效吗?", chosen),
        QuestionForm("演能规（2031）9号 还有效吗？", chosen),
        QuestionForm("演能规〔2031〕9号还有效吗？", elsewhere),
        QuestionForm("演能规〔2031〕8号还有效吗？", chosen),
    ]
    assert newest(asked) == [asked[0], asked[3], asked[4]]
