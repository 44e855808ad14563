"""What runs inside the sandbox beside the student's code; standard library only, no checks."""
