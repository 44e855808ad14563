"""The built site: whole, without warnings, and without a word to the outside."""

import json
import re
import runpy
import zipfile
from html import escape, unescape
from html.parser import HTMLParser
from inspect import ismodule
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import pytest

import minigrad as mg
from minigrad.core.errors import MinigradError
from minigrad.course import files, project
from minigrad.course.commands import site as command
from minigrad.course.lessons import badges, syllabus
from minigrad.course.publishing import leaks

ROOT = Path(__file__).parents[3]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
ADDRESSES = {"src", "href", "srcset", "action", "data", "poster", "content", "formaction"}
OUTSIDE = re.compile(r"^\s*(?:\w+:)?//")
CALLS_OUT = re.compile(r"(?:url\(|@import|import\(|fetch\()\s*['\"]?(?:https?:)?//")


def hosted(stem):
    """The addresses that open a lesson elsewhere; none while the course names no repository."""
    found = badges.read_repository(ROOT)
    return [address for _, address in badges.hosted_links(found, stem)] if found else []


class Page(HTMLParser):
    """The addresses that a page loads, those that it links to and its ids, and its style sheets and
    scripts as text."""

    def __init__(self, text):
        super().__init__()
        self.addresses, self.links, self.inline = [], [], []
        self.ids, self.within = set(), None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.within = tag
        for name, value in attrs:
            if name in ADDRESSES and value:
                self.addresses += [value] if tag != "a" else []
                self.links += [value] if name in ("src", "href") else []
            elif name == "id":
                self.ids.add(value)
            elif name == "style" and value:
                self.inline.append(value)

    def handle_endtag(self, tag):
        self.within = None

    def handle_data(self, data):
        if self.within in ("script", "style"):
            self.inline.append(data)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site that `minigrad site` builds of this course, once for all tests here:
    they stand in one file, since each process of pytest would build it again."""
    if any(command.util.find_spec(name) is None for name in command.NEEDED):
        pytest.skip("the extra 'site' is not installed")
    folder = tmp_path_factory.mktemp("built") / "site"
    command.build(ROOT, folder)
    return folder


@pytest.fixture(scope="module")
def pages(site):
    """{the page's path within the site: the Page}"""
    return {
        path.relative_to(site).as_posix(): Page(path.read_text(encoding="utf-8"))
        for path in sorted(site.rglob("*.html"))
        if "_static" not in path.parts
    }


def words(site, page):
    """What a reader sees of a page: its text without markup, runs of blanks as one."""
    body = (site / page).read_text(encoding="utf-8").split("<article", 1)[1]
    return " ".join(unescape(re.sub(r"<[^>]+>", "", body)).split())


def test_the_parser_sees_an_address_outside():
    text = (
        '<a href="//d.e"><img src="//a.b/c"></a><style>i { background: url("https://a.b") }</style>'
    )
    page = Page(text)
    assert page.addresses == ["//a.b/c"] and page.links == ["//d.e", "//a.b/c"]
    assert OUTSIDE.match(page.addresses[0]) and CALLS_OUT.search(page.inline[0])


def test_no_page_loads_anything_from_outside(site, pages):
    found = [
        (name, address)
        for name, page in pages.items()
        for address in page.addresses
        if OUTSIDE.match(address)
    ]
    found += [
        (name, text)
        for name, page in pages.items()
        for text in page.inline
        if CALLS_OUT.search(text)
    ]
    found += [
        sheet.name
        for sheet in site.rglob("*.css")
        if CALLS_OUT.search(sheet.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_each_link_within_the_site_leads_somewhere(site, pages):
    broken = [
        (name, address)
        for name, page in pages.items()
        for address in page.links
        if not urlsplit(address).scheme and not leads(site, pages, name, address)
    ]
    assert broken == []


def leads(site, pages, name, address):
    """Whether an address on the page `name` is of a file, and of a place in it, that are there."""
    parts = urlsplit(address)
    target = (site / name).parent / unquote(parts.path) if parts.path else site / name
    if not target.exists():
        return False
    goal = pages.get(target.resolve().relative_to(site.resolve()).as_posix())
    return not (goal and parts.fragment) or unquote(parts.fragment) in goal.ids


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_each_lesson_is_there_with_its_outputs(site, path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    html = (site / "lessons" / f"{path.stem}.html").read_text(encoding="utf-8")
    title = "".join(cells[0]["source"]).splitlines()[0].removeprefix("# ").replace("`", "")
    assert title in words(site, f"lessons/{path.stem}.html")
    assert html.count('<div class="cell_output') == sum(bool(c.get("outputs")) for c in cells)
    outputs = [output.get("data", {}) for cell in cells for output in cell.get("outputs", ())]
    for made in ("<minigrad-player", "data:image/svg+xml"):
        shown = sum(made in "".join(output.get("text/html", "")) for output in outputs)
        assert html.count(made) >= shown
    assert f'href="lessons/{path.stem}.html"' in (site / "index.html").read_text(encoding="utf-8")


def test_the_first_screen_says_what_it_is_and_has_a_live_player(site):
    html = (site / "index.html").read_text(encoding="utf-8")
    said = words(site, "index.html")
    assert f"{len(LESSONS)} lessons" in said and "hours" in said
    above = html.split("<article", 1)[1].split("<h2")[0]
    assert "<minigrad-player" in above, "the player is above the first heading"
    claims = html.split("<h2>Three things")[1].split("<h2>Others")[0]
    assert claims.count("<img ") == 3 and claims.count("<strong>") == 3
    for other in ("micrograd", "TinyTorch", "Dive into Deep Learning", "UvA", "CMU 10-714"):
        assert other in said
    assert re.search(r"As of \w+ 20\d\d", said)


def test_the_syllabus_has_each_lesson_with_minutes_and_files_and_each_plan(site):
    html = (site / "syllabus.html").read_text(encoding="utf-8")
    said = words(site, "syllabus.html")
    for unit in syllabus.read_lessons(ROOT):
        title = unit.title.replace("`", "")
        assert f"{unit.name} {title} {unit.minutes}" in said
        for form in ("", "-blank"):
            assert f'href="downloads/{unit.path.stem}{form}.ipynb"' in html
            assert (site / "downloads" / f"{unit.path.stem}{form}.ipynb").exists()
    assert all(length in said for length in syllabus.read_plans())
    assert 'aria-label="Lessons, in a row for each part. 01 needs 00' in html


def test_a_blank_notebook_has_neither_outputs_nor_answers(site):
    blank, whole = (
        json.loads((site / "downloads" / f"03_reverse{form}.ipynb").read_text(encoding="utf-8"))
        for form in ("-blank", "")
    )
    assert not any(cell.get("outputs") for cell in blank["cells"])
    assert any(cell.get("outputs") for cell in whole["cells"])
    code = ["".join(cell["source"]) for cell in blank["cells"] if cell["cell_type"] == "code"]
    assert any("...  # fill in" in source for source in code)


def test_a_lesson_says_what_it_builds_on_and_offers_its_files(site):
    html = (site / "lessons" / "11_optimisers.html").read_text(encoding="utf-8")
    foot = re.search(r'<p class="take">(.*?)</p>', html, re.DOTALL)[1]
    assert re.findall(r'href="(\S+)"', foot) == [
        "04_dynamic_graph.html",
        "../downloads/11_optimisers-blank.ipynb",
        "../downloads/11_optimisers.ipynb",
        *hosted("11_optimisers"),
    ]


def test_every_page_describes_itself_and_has_an_icon(site):
    seen = set()
    for path in site.rglob("*.html"):
        if "_static" not in path.parts:
            html = path.read_text(encoding="utf-8")
            (said,) = re.findall(r'<meta name="description" content="([^"]+)"', html)
            assert f'<meta property="og:description" content="{said}"' in html
            assert '<meta property="og:title"' in html and 'rel="icon"' in html
            assert len(unescape(said)) < 170
            seen.add(said)
    assert len(seen) > len(LESSONS), "they differ"


def test_the_changes_the_citation_and_the_missing_page_are_there(site):
    version = project.read_description()["version"]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for heading in re.findall(r"^## \[?([\w.]+)", changes, re.MULTILINE):
        assert heading in words(site, "changelog.html")
    assert f"version = {{{version}}}" in words(site, "cite.html")
    assert "not here" in words(site, "404.html") and (site / "card.png").exists()


def test_each_assignment_is_there_as_a_student_gets_it(site):
    given = sorted((ROOT / "assignments").glob("ps*/ps*.ipynb"))
    assert {path.stem for path in given} == {path.stem for path in (site / "assignments").iterdir()}


def test_a_lessons_term_leads_to_the_glossary(site):
    page = (site / "lessons" / "01_computation_graph.html").read_text(encoding="utf-8")
    assert 'href="../glossary.html#term-leaf"' in page
    assert 'id="term-leaf"' in (site / "glossary.html").read_text(encoding="utf-8")


def test_every_public_name_is_on_the_page(site):
    names = mg.__all__
    page = "\n".join(path.read_text(encoding="utf-8") for path in site.glob("reference/*.html"))
    assert page.count("[source]") > 100
    modules = {name: getattr(mg, name).__name__ for name in names if ismodule(getattr(mg, name))}
    ids = {
        name: f"module-{modules[name]}" if name in modules else f"minigrad.{name}" for name in names
    }
    assert [name for name in names if f'id="{ids[name]}"' not in page] == []
    assert len(names) > 100


def test_the_site_holds_nothing_of_the_instructor(site):
    names = [path.name for path in site.rglob("*")]
    assert not [name for name in names if "instructor" in name or "hidden" in name]
    if not (ROOT / leaks.KEPT).is_dir():
        pytest.skip("the instructor's files are not in this copy")
    secrets = leaks.read_secrets(ROOT)
    assert leaks.find_leaks(site, secrets) == []
    for page in site.rglob("*.html"):
        text = unescape(re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8")))
        assert secrets.find_in(text.encode()) == []


def test_formulas_are_typeset_when_the_site_is_built(site):
    page = (site / "lessons" / "02_forward.html").read_text(encoding="utf-8")
    assert "<math " in page and r"\frac" not in page and "MathJax" not in page


def test_a_page_loads_less_than_600_kilobytes(site, pages):
    heavy = {}
    for path in map(site.joinpath, pages):
        html = path.read_text(encoding="utf-8")
        tags = re.findall(r'<(?:script|link rel="stylesheet"|link|img) [^>]*>', html)
        loaded = [tag for tag in tags if not re.search(r'loading="lazy"|rel="(?!style)', tag)]
        found = (re.search(r'(?:src|href)="([^"?#:]+)["?#]', tag) for tag in loaded)
        files_loaded = {(path.parent / one[1]).resolve() for one in found if one}
        weight = path.stat().st_size + sum(file.stat().st_size for file in files_loaded)
        if weight > 600_000:
            heavy[path.relative_to(site).as_posix()] = weight
    assert heavy == {}


def test_icons_stand_in_the_pages_and_the_search_in_its_own(site, pages):
    for path in map(site.joinpath, pages):
        html = path.read_text(encoding="utf-8")
        assert "fontawesome" not in html and not re.search(r"fa-solid[^>]*></", html)
        assert ("searchindex.js" in html) == (path.name == "search.html")


def test_each_lesson_has_a_card_with_its_own_picture(site):
    html = (site / "index.html").read_text(encoding="utf-8")
    items = html.split('<ul class="cards">')[1:]
    found = re.findall(r'href="lessons/(\w+)\.html"><img[^>]* src="(cards/[\w.]+)"', "".join(items))
    assert [name for name, _ in found] == [path.stem for path in LESSONS]
    pictures = [(site / picture).read_bytes() for _, picture in found]
    assert len({*pictures}) == len(LESSONS)
    assert [caption in html for caption in ("Part I ·", "Part V ·")] == [True, True]


def test_the_course_can_be_taken_from_its_page(site):
    said = words(site, "get.html")
    with zipfile.ZipFile(site / "downloads" / "minigrad-kit.zip") as kit:
        names = kit.namelist()
    assert "minigrad-kit/Makefile" in names and not any("instructor" in name for name in names)
    assert "make lab" in said
    wheels = [path.name for path in (site / "downloads").glob("*.whl")]
    assert all(f"pip install &quot;./{name}[course]&quot;" in escape(said) for name in wheels)
    assert "git clone" not in said or "Repository" in project.read_description()["urls"]


def test_twelve_players_can_be_embedded(site):
    html = (site / "players.html").read_text(encoding="utf-8")
    codes = [unescape(code) for code in re.findall(r"<pre>(&lt;iframe.*?)</pre>", html)]
    assert len(codes) == 12
    for code in codes:
        player = site / re.search(r'src="([^"]+)"', code)[1]
        assert "<minigrad-player" in player.read_text(encoding="utf-8")


def test_an_answer_is_folded_below_its_exercise(site):
    html = (site / "lessons" / "01_computation_graph.html").read_text(encoding="utf-8")
    code = [
        unescape(re.sub(r"<[^>]+>", "", part))
        for part in re.findall(r"<pre>(.*?)</pre>", html, re.DOTALL)
    ]
    asked, answered = (
        next(at for at, part in enumerate(code) if line in part)
        for line in ('on the tape with respect to x."""\n    ...', "numbers = {x: 1.0}")
    )
    assert answered == asked + 1
    assert html.count('<details class="admonition hide above-input"') >= 3


def test_a_warning_stops_the_build_and_keeps_the_old_site(site, course, add_lesson):
    add_lesson("# 01 · A lesson\n\n[elsewhere](nowhere.md)")
    old = course / "site"
    files.renew_folder(old, empty)
    (old / "index.html").write_text("the old page")
    with pytest.raises(MinigradError, match=r"lessons/01_small\.ipynb.*nowhere\.md"):
        command.build(course, old)
    assert (old / "index.html").read_text() == "the old page"


def described(pagename, address):
    """What the head of a page says where the site's address is known, or not."""
    pytest.importorskip("sphinx", reason="the extra 'site' is not installed")
    names = runpy.run_path(str(command.CONFIGURATION / "conf.py"))
    names["describe_page"].__globals__["html_baseurl"] = address
    context = {"title": 'A "title"'}
    names["describe_page"](None, pagename, "page.html", context, None)
    return context["metatags"]


def test_addresses_that_must_be_whole_are_there_only_where_the_site_knows_its_own():
    assert "og:url" not in described("why", "")
    head = described("why", "https://a.b/c/")
    assert '"og:url" content="https://a.b/c/why.html"' in head
    assert '"og:title" content="A &quot;title&quot;"' in head and "<base" not in head
    assert described("404", "https://a.b/c/").startswith('<base href="https://a.b/c/">')


@pytest.mark.parametrize("mark", ["mine.txt", ".buildinfo", ".made-by-minigrad"])
def test_a_folder_that_this_command_has_not_made_is_left_alone(course, mark):
    (course / "site").mkdir()
    (course / "site" / mark).write_text("by Sphinx, for another project")
    with pytest.raises(MinigradError, match="was not made by this command"):
        files.renew_folder(course / "site", empty)
    assert (course / "site" / mark).exists()


def test_a_folder_that_this_command_has_made_is_made_again(course):
    for _ in range(2):
        files.renew_folder(course / "site", empty)
    assert [path.name for path in (course / "site").iterdir()] == [".made-by-minigrad"]


def empty(scratch):
    """An empty folder, as what a command made."""
    (scratch / "made").mkdir()
    return scratch / "made"


def test_a_missing_package_is_named(course, monkeypatch):
    monkeypatch.setattr(command.util, "find_spec", lambda name: None)
    with pytest.raises(MinigradError, match="myst_nb is not installed") as refused:
        command.build(course, course / "site")
    assert "make site" in refused.value.hint


def test_a_first_hour_is_offered_where_the_configuration_says_where_it_stands(site):
    text = (ROOT / "minigrad/course/publishing/pages/index.md").read_text(encoding="utf-8")
    names = runpy.run_path(str(command.CONFIGURATION / "conf.py"))
    assert names["lite_address"] == "" and "<!-- lite -->" in text
    offered = {}
    for address in ("", "lite/"):
        app = SimpleNamespace(config=SimpleNamespace(lite_address=address))
        for page in ("index", "why"):
            source = [text]
            names["offer_first_hour"](app, page, source)
            offered[address, page] = source[0]
    link = 'href="lite/lab/index.html?path=00_gradient_descent.ipynb"'
    assert [key for key, said in offered.items() if link in said] == [("lite/", "index")]
    assert "first hour" not in offered["", "index"]
    assert "first hour" not in (site / "index.html").read_text(encoding="utf-8")
