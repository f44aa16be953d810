"""Files on their way into the library, on the page (入库)."""
