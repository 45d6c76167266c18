"""Blocks -> pages: lines, tables and pictures set into columns."""
