"""What Sphinx is told: notebooks as they were committed, and nothing fetched from elsewhere."""

import os
from html import escape

from minigrad.course.publishing import formulas, reference

project = "minigrad"
author = copyright = "minigrad contributors"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]

nb_execution_mode = "off"
nb_code_prompt_show = "Show the answer"
nb_code_prompt_hide = "Hide the answer"
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
suppress_warnings = ["misc.highlighting_failure"]  # a traceback may quote what is not Python

autodoc_default_options = {"members": True, "member-order": "bysource"}
add_module_names = False
autodoc_typehints = "none"  # the page names what a function takes, the docstring says it

html_theme = "sphinx_book_theme"
html_title = "minigrad"
html_static_path = ["static"]
html_math_renderer = "mathml"
html_css_files = ["site.css"]
html_js_files = [("page.js", {"defer": "defer"})]
html_favicon = "static/favicon.svg"
html_baseurl = os.environ.get("MINIGRAD_SITE_URL", "")  # where the site will stand, ending in /
# Where what `make lite` builds stands, seen from the first page, as "lite/". A flag, too: with ""
# no page speaks of it; name it once a browser has run all of it from there, NumPy included.
lite_address = ""
html_permalinks_icon = "#"
html_copy_source = html_show_sourcelink = html_show_sphinx = html_show_copyright = False
html_use_index = html_domain_indices = toc_object_entries = False
html_context = {"default_mode": "auto"}  # light or dark, as the reader's system is
html_theme_options = {
    "use_download_button": False,
    "use_fullscreen_button": False,
    "navbar_persistent": [],  # the search stands in the side bar, and above the text
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}


SENTENCE = "A course in notebooks on computation graphs and derivatives, in two engines to read."
WORDS = 160  # letters of a description
FIRST_HOUR = """Or install nothing:
<a href="{}lab/index.html?path=00_gradient_descent.ipynb">a first hour in the browser</a>
has lessons 00 to 03 and 07, and the first assignment with its checks."""


def setup(app):
    """Let autodoc read docstrings as this package writes them, and each page describe itself."""
    formulas.add_renderer(app)
    app.add_config_value("lite_address", "", "env", (str,))
    app.connect("source-read", offer_first_hour)
    app.connect("autodoc-process-docstring", reference.as_rst)
    app.connect("html-page-context", describe_page)


def offer_first_hour(app, docname, source):
    """Says on the first page, where `lite_address` is named, what runs there."""
    if docname == "index":
        address = escape(app.config.lite_address, quote=True)
        source[0] = source[0].replace("<!-- lite -->", FIRST_HOUR.format(address) * bool(address))


def describe_page(app, pagename, templatename, context, doctree):
    """Says in the page's head what it is about, to those who list or share it."""
    text = SENTENCE if pagename == "index" else first_words(doctree)
    title = escape(context.get("title") or "minigrad", quote=True)
    tags = [f'<meta name="description" content="{text}">']
    found = {"title": title, "description": text, "type": "website", "site_name": "minigrad"}
    if html_baseurl:
        found["url"] = f"{html_baseurl}{pagename}.html"
        found["image"] = f"{html_baseurl}card.png"
        if pagename == "404":  # it is shown at any address
            tags.insert(0, f'<base href="{html_baseurl}">')
    tags += [f'<meta property="og:{name}" content="{said}">' for name, said in found.items()]
    context["metatags"] = "\n".join(tags)


def first_words(doctree):
    """The beginning of a page's first paragraph."""
    from docutils import nodes

    first = next(doctree.findall(nodes.paragraph), None) if doctree is not None else None
    text = " ".join(first.astext().split()) if first is not None else SENTENCE
    if len(text) > WORDS:
        text = text[:WORDS].rsplit(" ", 1)[0] + " …"
    return escape(text, quote=True)
