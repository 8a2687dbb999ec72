"""Upstream's own test classes on the release."""
