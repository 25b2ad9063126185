"""The English pipeline: tags and dependency trees."""
