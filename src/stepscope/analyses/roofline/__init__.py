"""How near operators come to the peaks of the device: FLOP and byte models, roofline, MFU."""
