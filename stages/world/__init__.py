"""The sample world: shapes, scenes, their captions and their complete truth."""
