"""Tables as pictures that any browser, editor or wiki shows: SVG without scripts, of bounded size."""
