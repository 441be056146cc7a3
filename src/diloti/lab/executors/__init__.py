"""Who does the work of the laboratory: processes of this machine, or a Ray cluster."""
