"""Pictures of one graph that share most of their parts, as data of which a page makes each.

A picture is a list of parts and of places: a node or an arrow that stands elsewhere in another
picture is the same part. So twenty pictures take little more than the first.
"""

import json
import re
from html import escape

from minigrad.draw.look import style_sheet
from minigrad.draw.paint import PAD, Sheet, card, title_svg, turns_svg
from minigrad.draw.paint.frames import frame_svg
from minigrad.draw.paint.key import footer
from minigrad.draw.paint.listing import alt
from minigrad.draw.paint.words import PlacedWords, title_of_frame

FIRST = 0xE000  # the character for the first of WORDS
WORDS = (  # that come often, longer ones first; ` stands for a quotation mark
    "`/><circle class=`tip saved` cx=`0` cy=`0` r=`2.5`/></g>",
    "<text class=`small start",
    "</tspan></text>",
    "<tspan class=`bold`>",
    "<g transform=`translate(",
    "`><path class=`edge data` d=`M0 0 C",
    "`><path class=`edge ",
    "`/><polygon class=`tip data` points=`",
    "`/><polygon class=`tip ",
    "<g data-from=`",
    "` data-to=`",
    "<g id=`",
    "` class=`node`><title>",
    "` class=`node` data-box=`",
    "</title><rect class=`op` x=`",
    "</title><rect class=`",
    "<rect class=`",
    "` width=`",
    "` height=`",
    "` rx=`7`/>",
    "<text x=`0` y=`",
    "</text></g>",
    "</text>",
    "` points=`",
    "`/></g>",
)


def album_attribute(views, more=()):
    """The attribute `album` of an element that shows these Views; "" where no click changes it.

    `more` has for each view what else an element needs to know of it.
    """
    if not any(view.moves for view in views):
        return ""
    parts, pages = {}, []
    for at, view in enumerate(views):
        page = {"moves": view.moves, **dict(zip(("more",), more[at : at + 1]))}
        pages.append(page | (picture_data(view.drawing, parts) if at else {}))
    classes = (words for part in parts for words in re.findall(r'class="([^"]*)"', part))
    used = {word for words in classes for word in words.split()}
    style = style_sheet(used).replace("\n", " ")
    data = {"words": WORDS, "style": style, "parts": [*map(abbreviate, parts)], "pages": pages}
    return f" album='{quote_data(data)}'"


def abbreviate(part):
    """A part with one character for each of WORDS; names hold none of these characters."""
    text = part.replace("`", "&#96;").replace('"', "`")
    for at, word in enumerate(WORDS):
        text = text.replace(word, chr(FIRST + at))
    return text


def quote_data(data):
    """Data as JSON in an attribute between single quotes, on one line."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return escape(text, quote=False).replace("'", "&#39;")


def picture_data(drawing, parts):
    """What a page makes a picture of; parts that are new are added, text → number."""
    scene, layout = drawing.scene, drawing.placement
    sheet, places = Sheet(scene, layout), []
    for text, x, y in placed_parts(sheet):
        number = parts.setdefault(text, len(parts))
        places += [number, round(x, 1), round(y, 1)]
    under, depth = footer(scene, 0, sheet.room, 0)
    height = sheet.foot + depth
    own = {"head": [card(sheet.width, height), title_svg(scene)], "foot": under}
    around = {
        name: [parts.setdefault(text, len(parts)) for text in own[name] if text] for name in own
    }
    size = [sheet.width, height, *(round(way, 1) for way in sheet.shift), PAD, sheet.foot]
    return {"size": size, "alt": escape(alt(scene)), "places": places, **around}


def placed_parts(sheet):
    """(SVG, x, y) of everything on a card, each part drawn as if it stood at its own place."""
    scene, layout = sheet.scene, sheet.layout
    for frame, box in layout.frames:
        yield frame_svg(frame, box._replace(x=0, y=0)), box.x, box.y
    for edge, way in zip(scene.edges, sheet.ways):
        x, y = way.points[0]
        yield sheet.edge(edge, way.translate(-x, -y)), x, y
    for node in scene.nodes:
        box = layout.boxes[node.id]
        yield sheet.node(node, box._replace(x=0, y=0)), box.x, box.y
    words = PlacedWords(scene, layout, sheet.ways)
    for text in (*words.labels(), *turns_svg(layout, words)):
        yield text, 0, 0
    for (frame, box), spot in zip(layout.frames, words.titles):
        yield title_of_frame(frame, box, spot.translate(-box.x, -box.y)), box.x, box.y
