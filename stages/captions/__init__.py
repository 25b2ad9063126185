"""Captions as people and the web wrote them: read from any format, cleaned, and separated from other languages."""
