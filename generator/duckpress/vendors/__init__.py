"""Pictures of faces -> the files for a print-on-demand vendor: its canvases, colours, names and order.

What vendors ask for stands in one table (`products`) with where it is known from. Nothing in it is computed from a
card's size, but for a press: vendors reject a canvas that is off by a pixel.
"""

from duckpress.vendors.orders import OrderCard, order_files, to_cmyk
from duckpress.vendors.products import VENDORS, Canvas, OrderKind, Vendor
