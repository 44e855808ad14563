"""Pictures of one graph that share most of their parts, as data of which a page makes each.

A picture is a list of parts and of places: a node or an arrow that stands elsewhere in another
picture is the same part. So twenty pictures take little more than the first.
"""

import json
import re
from html import escape

from minigrad.draw.look import style_sheet
from minigrad.draw.paint import PAD, Sheet, arcs_svg, card, title_svg
from minigrad.draw.paint.frames import frame_svg
from minigrad.draw.paint.key import footer
from minigrad.draw.paint.listing import alt
from minigrad.draw.paint.words import PlacedWords, title_of_frame


def album_attribute(views, more=(), upright=None, insides=None):
    """The attribute `album` of an element that shows these Views; "" where nothing changes it.

    `more` has for each view what else an element needs to know of it; `upright` is the first
    drawing for a narrow page; `insides` maps ids of cards to drawings of what they hold.
    """
    if upright is None and not insides and not any(view.moves for view in views):
        return ""
    parts, pages = {}, []
    for at, view in enumerate(views):
        page = {"moves": view.moves, **dict(zip(("more",), more[at : at + 1]))}
        pages.append(page | (picture_data(view.drawing, parts) if at else {}))
    twin = {"upright": len(pages)} if upright else {}
    if upright:
        pages.append({"moves": views[0].moves, **picture_data(upright, parts)})
    if insides:
        twin["inside"] = {id: len(pages) + at for at, id in enumerate(insides)}
        pages += [
            {"moves": {}} | picture_data(inside, parts, bare=True) for inside in insides.values()
        ]
    style = style_sheet(classes_in(parts), classes_in([views[0].drawing.svg])).replace("\n", " ")
    texts = [swap_quotes(part) for part in parts]
    data = {"style": style, "parts": texts, "pages": pages} | twin
    return f" album='{quote_data(data)}'"


def classes_in(texts):
    """The class names in some SVG texts."""
    found = (words for text in texts for words in re.findall(r'class="([^"]*)"', text))
    return {word for words in found for word in words.split()}


def swap_quotes(part):
    """A part with ` for each quotation mark, of which JSON makes two characters."""
    return part.replace("`", "&#96;").replace('"', "`")


def quote_data(data):
    """Data as JSON in an attribute between single quotes, on one line."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return escape(text, quote=False).replace("'", "&#39;")


def picture_data(drawing, parts, bare=False):
    """What a page makes a picture of; parts that are new are added, text → number. A `bare` one
    has no key and no notes."""
    scene, layout = drawing.scene, drawing.placement
    sheet, places = Sheet(scene, layout), []
    for text, x, y in placed_parts(sheet):
        number = parts.setdefault(text, len(parts))
        places += [number, round(x, 1), round(y, 1)]
    under, depth = ([], 0) if bare else footer(scene, 0, sheet.room, 0)
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
    for at, way in enumerate(sheet.ways):
        x, y = way.points[0]
        yield sheet.edge(at, -x, -y), x, y
    for node in scene.nodes:
        box = layout.boxes[node.id]
        yield sheet.node(node, box._replace(x=0, y=0)), box.x, box.y
    words = PlacedWords(scene, layout, sheet.ways)
    for text in (*words.labels(), *words.captions(), *arcs_svg(layout, words)):
        yield text, 0, 0
    for (frame, box), spot in zip(layout.frames, words.titles):
        yield title_of_frame(frame, box, spot.translate(-box.x, -box.y)), box.x, box.y
