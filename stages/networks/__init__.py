"""Pretrained networks for all that use them, and what identifies one."""
