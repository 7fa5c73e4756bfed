"""From the bytes of a response to a Page, parsed once: its terms, its links and what stands around each link."""
