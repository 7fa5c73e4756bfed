"""The figures of the papers, made again on recorded webs: what is drawn, and how."""
