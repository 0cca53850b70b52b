"""Families of random programs that are called again and again: each is a file of templates, some with classes or functions of their own."""
