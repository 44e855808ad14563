"""The files of a quiz: what students get holds no key, and platforms can read theirs."""

import builtins
import html
import json
import re
import sys
from dataclasses import replace

import pytest

from minigrad.course.inventory import answers, forms, questions

FORM = questions.make_form()
MADE = forms.quiz_files(FORM)
QTI = MADE["quiz-qti.zip"]
# The part of QTI 1.2.1 that is used here, with the order that its schema prescribes.
QTI_DTD = """
<!ELEMENT questestinterop (assessment)> <!ATTLIST questestinterop xmlns CDATA #IMPLIED>
<!ELEMENT assessment (section+)> <!ATTLIST assessment ident CDATA #REQUIRED title CDATA #IMPLIED>
<!ELEMENT section (item+)> <!ATTLIST section ident CDATA #REQUIRED>
<!ELEMENT item (itemmetadata?, presentation?, resprocessing*)>
<!ATTLIST item ident ID #REQUIRED title CDATA #IMPLIED>
<!ELEMENT itemmetadata (qtimetadata*)> <!ELEMENT qtimetadata (qtimetadatafield+)>
<!ELEMENT qtimetadatafield (fieldlabel, fieldentry)>
<!ELEMENT fieldlabel (#PCDATA)> <!ELEMENT fieldentry (#PCDATA)>
<!ELEMENT presentation (material, response_lid)>
<!ELEMENT material (mattext+)> <!ELEMENT mattext (#PCDATA)>
<!ATTLIST mattext texttype CDATA "text/plain">
<!ELEMENT response_lid (render_choice)>
<!ATTLIST response_lid ident CDATA #REQUIRED rcardinality (Single | Multiple | Ordered) "Single">
<!ELEMENT render_choice (response_label+)>
<!ELEMENT response_label (material)> <!ATTLIST response_label ident CDATA #REQUIRED>
<!ELEMENT resprocessing (outcomes, respcondition+)> <!ELEMENT outcomes (decvar+)>
<!ELEMENT decvar EMPTY> <!ATTLIST decvar varname CDATA #REQUIRED vartype CDATA #REQUIRED
    minvalue CDATA #IMPLIED maxvalue CDATA #IMPLIED>
<!ELEMENT respcondition (conditionvar, setvar*)> <!ATTLIST respcondition continue (Yes | No) "No">
<!ELEMENT conditionvar (varequal)> <!ELEMENT varequal (#PCDATA)>
<!ATTLIST varequal respident CDATA #REQUIRED>
<!ELEMENT setvar (#PCDATA)>
<!ATTLIST setvar varname CDATA #REQUIRED action (Set | Add | Subtract | Multiply | Divide) "Set">
"""


@pytest.fixture
def etree():
    """The library that validates XML."""
    return pytest.importorskip("lxml.etree", reason="lxml is not installed")


def with_other_keys(form):
    """The form as it looks, but of each question the next letter is the key."""
    asked, orders = [], []
    for question, order in zip(form.questions, form.orders):
        key = order[(order.index(0) + 1) % 4]
        places = [key, *(at for at in range(4) if at != key)]
        asked.append(replace(question, options=tuple(question.options[at] for at in places)))
        orders.append(tuple(places.index(at) for at in order))
    return replace(form, questions=tuple(asked), orders=tuple(orders))


@pytest.mark.parametrize("name", ["quiz.html", "quiz.ipynb"])
def test_what_students_get_is_the_same_whatever_the_key_is(name):
    other = with_other_keys(FORM)
    assert [other.key_letter(at) for at in range(20)] != [FORM.key_letter(at) for at in range(20)]
    assert forms.shown_questions(other) == forms.shown_questions(FORM)
    assert forms.quiz_files(other)[name] == MADE[name]
    assert forms.quiz_files(other)["key.md"] != MADE["key.md"]


@pytest.mark.parametrize("name", ["quiz.html", "quiz.ipynb"])
def test_what_students_get_names_no_misconception_and_no_program(name):
    for question in FORM.questions:
        assert question.fact not in MADE[name]
        for option in question.options[1:]:
            assert html.escape(option.misconception) not in MADE[name]
    assert "validated on a real class" in MADE[name] and "pepper 38" in MADE[name]


def test_the_page_is_alone():
    found = re.findall(r"https?:|src=|@import|url\(", MADE["quiz.html"])
    assert found == []


def run_notebook(changes, folder, monkeypatch):
    """Run the notebook's code with Python's own modules alone; what it printed."""
    monkeypatch.chdir(folder)
    said, names = [], {"print": lambda *words: said.append(" ".join(map(str, words)))}
    taken, known = [], builtins.__import__

    def note(name, *rest):
        taken.append(name.partition(".")[0])
        return known(name, *rest)

    names["__builtins__"] = {**vars(builtins), "__import__": note}
    for cell in json.loads(MADE["quiz.ipynb"])["cells"]:
        if cell["cell_type"] == "code":
            text = "".join(cell["source"])
            exec(changes.get(text, text), names)
    assert {*taken} <= sys.stdlib_module_names
    return said


def test_the_notebook_writes_the_file_that_the_page_writes(tmp_path, monkeypatch):
    changes = {
        'code = ""\nweek = ""\nanswers = {}': 'code = "Pepper 38"\nweek = "last"\nanswers = {}'
    }
    for at, question in enumerate(FORM.questions[:-1]):
        name = question.name
        changes[f'answers["{name}"] = ""'] = f'answers["{name}"] = " {FORM.key_letter(at).lower()}"'
    said = run_notebook(changes, tmp_path, monkeypatch)
    assert said == ["Saved as answers-last.json. Questions without an answer: 1."]
    (sheet,), left_out = answers.read_folder(tmp_path)
    assert (sheet.code, sheet.week, left_out) == ("pepper38", "last", [])
    assert sheet.options == (0,) * 19 + (None,)
    record = json.loads((tmp_path / "answers-last.json").read_text())
    assert {*record} == {*answers.empty_record(FORM), "code", "week", "saved", "answers"}


@pytest.mark.parametrize(
    "begin, answer, said",
    [
        ('code = "ab"\nweek = "first"', "A", "Write your code"),
        ('code = "pepper 38"\nweek = "second"', "A", "The week is"),
        ('code = "pepper 38"\nweek = "first"', "E", "no letter from A to D: q3"),
    ],
)
def test_the_notebook_saves_nothing_that_cannot_be_used(begin, answer, said, tmp_path, monkeypatch):
    changes = {
        'code = ""\nweek = ""\nanswers = {}': f"{begin}\nanswers = {{}}",
        'answers["q3"] = ""': f'answers["q3"] = "{answer}"',
    }
    (line,) = run_notebook(changes, tmp_path, monkeypatch)
    assert line.startswith("Nothing is saved.") and said in line
    assert list(tmp_path.iterdir()) == []


def test_moodle_reads_every_question_with_its_key():
    parser = pytest.importorskip(
        "moodle_xml_parser.parser", reason="moodle-xml-parser is not installed"
    )
    found = parser.parse_bytes(MADE["quiz-moodle.xml"].encode())["multichoice"]
    assert len(found) == 20
    for question, (own, options) in zip(found, FORM.options()):
        assert question.single and not question.shuffle_answers
        assert question.text_pre_parse == html.unescape(forms.html_text(own.stem))
        assert [one.answer for one in question.options] == [one.says for one in options]
        right = [one.answer for one in question.options if one.score_fraction == 100]
        assert right == [own.key.says]


def test_qti_has_the_structure_that_its_schema_prescribes(etree):
    import io

    (name,) = [name for name in QTI if name.endswith("_1.xml")]
    dtd, tree = etree.DTD(io.StringIO(QTI_DTD)), etree.fromstring(QTI[name].encode())
    plain = QTI[name].replace(' xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"', "")
    assert dtd.validate(etree.fromstring(plain.encode())), dtd.error_log
    assert not dtd.validate(etree.fromstring(plain.replace("outcomes", "outcome").encode()))
    space = {"q": tree.nsmap[None]}
    items = tree.findall(".//q:item", space)
    assert len(items) == 20
    for at, (item, (question, options)) in enumerate(zip(items, FORM.options())):
        texts = [html.unescape(text.text) for text in item.findall(".//q:mattext", space)]
        assert texts[1:] == [option.says for option in options]
        key = item.find(".//q:varequal", space).text
        labels = [one.get("ident") for one in item.findall(".//q:response_label", space)]
        assert texts[1:][labels.index(key)] == question.key.says and key == FORM.key_letter(at)


def test_the_package_names_its_files(etree):
    tree = etree.fromstring(QTI["imsmanifest.xml"].encode())
    named = {node.get("href") for node in tree.iter() if node.get("href")}
    assert named == {*QTI} - {"imsmanifest.xml"}
    kinds = [node.get("type") for node in tree.iter("{*}resource")]
    assert kinds[0] == "imsqti_xmlv1p2"  # by which Canvas knows a quiz
    for text in QTI.values():
        etree.fromstring(text.encode())


def test_the_key_has_each_option_with_what_it_stands_for():
    for at, (question, options) in enumerate(FORM.options()):
        part = MADE["key.md"].split(f"## {question.name}: ")[1].split("\n## ")[0]
        assert f"| **{FORM.key_letter(at)}** | `{question.key.says}` |" in part
        for option in options:
            assert option.misconception in part and f"`{option.says}`" in part
    assert "not been validated" in MADE["key.md"] and "I taught this" in MADE["key.md"]
