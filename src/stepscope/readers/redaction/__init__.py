"""Copies of recordings without what names people, machines and their settings.

Kept is what a reader of stepscope reads, by the same lists of what is allowed; everything else is left out. Names in
paths below folders of users are replaced by as many letters ``x``, as is every word that the caller names.
"""
