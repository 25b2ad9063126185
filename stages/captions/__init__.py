"""Captions as people and the web wrote them: read from any format, cleaned, and told from other languages."""
