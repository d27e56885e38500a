"""Recording from within a program, for those who like code: ``stepscope.profile``, ``annotate``, ``timed`` and others.

Imports the standard library only; torch, Lightning, transformers and accelerate when something of theirs is used.
"""
