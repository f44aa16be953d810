"""The served process: the app, the HTTP interface for programs, the tools for agents (服务)."""
