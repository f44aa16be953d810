"""What every page stands in and uses: frame, sign-in, safe text, filters (公共部件)."""
