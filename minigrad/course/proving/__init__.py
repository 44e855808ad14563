"""Whether the hidden checks tell wrong answers from right ones: known answers, and faults."""
