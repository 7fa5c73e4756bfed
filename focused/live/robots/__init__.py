"""Obeys robots.txt as RFC 9309 says, whatever a server makes of it."""
