"""The rules of Diloti, exactly once: no clock, no chance, no file, no network."""
