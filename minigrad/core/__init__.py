"""What both engines share: ops with their derivatives, and the two sweeps."""
