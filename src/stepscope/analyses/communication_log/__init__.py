"""Collectives as NCCL Inspector measured them over the whole run: bandwidth, and who arrives last."""
