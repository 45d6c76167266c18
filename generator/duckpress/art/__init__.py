"""Art -> drawings and pictures: SVG files, PNG and JPEG files, QR codes, colours."""
