"""The strategies of the papers, what they are trained on, and taxonomies."""
