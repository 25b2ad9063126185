"""Resuming of long work after a killed run."""
