"""Finding and fetching regulations on official sites (采集); off unless ``NEMO_DISCOVERY`` is set.

``crawler`` and ``searching`` find leads (addresses with titles, never text); ``fetch`` turns a lead
into the bytes of a file. Only sites of ``data/rules/sources.toml`` are visited.
"""
