"""The study: figures about the game that anyone can make again with one command.

A plan names the data sets, `diloti.lab` generates them, questions turn them into tables, and
a document is written from the tables alone.
"""
