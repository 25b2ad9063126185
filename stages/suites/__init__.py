"""Suites of retrieval sets: CREPE's own, its official release, and others' formats, one small file each; and their export."""
