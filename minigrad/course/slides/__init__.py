"""Slide decks for a lecture, each made from the text and the stored outputs of one lesson."""
