"""Suites of retrieval sets, one small file each: CREPE's own, its official release, and others' formats; and writing them out."""
