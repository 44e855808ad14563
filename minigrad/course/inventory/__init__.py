"""A concept inventory: questions with computed keys, their forms, and the answers of a class."""
