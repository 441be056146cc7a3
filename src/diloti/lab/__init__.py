"""The laboratory: what is measured about players, and how it is shown."""
