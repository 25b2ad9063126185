"""Reading of JSON that other programs wrote."""
