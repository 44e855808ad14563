"""The picture of a player of a training step: its lanes, in which each step lights a card."""

from minigrad.draw.modes.step import step_scene
from minigrad.draw.paint import place_in_lanes
from minigrad.draw.player.picture import MARK, Picture
from minigrad.draw.read.outline import outline
from minigrad.draw.trace.formula import DOTS
from minigrad.draw.trace.step import RENEWED

PAGE = 528  # pixels of the pane beside the source


class LanesPicture(Picture):
    """The same as a Picture, of a trace that has Lanes."""

    def template(self):
        """The scene in lanes, with a mark for the number of each card that shows one."""
        scene = step_scene(self.trace.lanes.cards, self.title)
        told = ((event, self.texts_of(event)) for event in self.trace.events)
        single = {texts[0][0] for event, texts in told if texts and gives_number(event)}
        nodes = (
            node._replace(number=MARK, value=MARK) if shows_number(node, single) else node
            for node in scene.nodes
        )
        marks = ("pending",) * bool(single)
        return scene._replace(nodes=tuple(nodes), always_in_key=marks, page=PAGE)

    def node_with(self, id, side):
        """The card on which a value stands, or its adjoint or its update."""
        places, own = self.trace.lanes.places, id + side
        known = own in places or own in self.ids
        return places.get(own, own) if known else self.node_of(id) + side

    def texts_of(self, event):
        """(id of a card, text) of what is known after a step, where the card is that of what it
        tells, and not of what is computed from that. A part of a sum is not what its formula says.
        """
        if event.contribution and event.formula[-1:] == (DOTS,):
            return []
        own = event.node + self.side_of(event)
        text = f"iteration {event.turn}" if event.turn else event.result
        return [(own, text)] if self.trace.lanes.places.get(own, own) == own else []

    def side_of(self, event):
        """What the id of a step's card ends with, behind that of its value."""
        return RENEWED if event.renews else super().side_of(event)

    def changing(self):
        """The ids of the cards that some step completes."""
        return list(self.texts)

    def nodes_by_id(self):
        """{id of a value, or of its adjoint or its update: id of its card}, where these differ."""
        return self.trace.lanes.places | {
            id: self.node_of(id) for id in sorted(self.trace.inner) if self.node_of(id)
        }

    def nodes_by_id_upright(self):
        """The same of the picture for a narrow page, where equal updates share a card."""
        score = place_in_lanes(self.final_drawing.room, upright=True)
        homes = {id: card.id for card in score.cards for id in card.members}
        cards = self.trace.lanes.cards.cards.cards
        ids = self.trace.lanes.cards.cards.outline.ids
        joined = {card.id: homes[ids[card.members[0]]] for card in cards if card.members}
        moved = {id: joined.get(place, place) for id, place in self.nodes_by_id().items()}
        return {id: home for id, home in joined.items() if id != home} | moved

    def frames(self):
        """The frames that loops would have if they were opened, which lanes do not show."""
        graph = self.trace.lanes.cards.cards.outline
        results = [graph.values[at] for at in graph.results]
        return outline(results, is_open=lambda id, value: True).frames

    def upright(self, step):
        """None, for the narrow page has the one that is there without a script."""


def gives_number(event):
    """Whether what a step gives is one number."""
    return (event.derivative or event.value).shape == () and not event.turn


def shows_number(node, single):
    """Whether a card shows a number: not where the formula of a loop stands, the name of an equal
    adjoint, or a number already."""
    told = node.formula or node.same or node.lines == ("1",)
    return node.id in single and not told
