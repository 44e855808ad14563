"""Answers of students to the lessons whose checks are data: a module for each lesson."""
