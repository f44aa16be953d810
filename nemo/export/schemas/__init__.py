"""The one description of what leaves Nemo as JSON (接口数据形式)."""
