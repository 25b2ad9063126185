"""Pretrained networks, whoever asks them, and what names one."""
