"""A batch: who handed in what, and what everybody gets back; `grading` knows of one at a time."""
