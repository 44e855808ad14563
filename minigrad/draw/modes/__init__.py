"""What each mode of drawing shows: values, derivatives, memory, the work of passes."""
