"""Steps: their breakdown, the step trace, the summary, and unions of activity."""
