"""``python -m nemo.web run …``: Streamlit's own command, which Ctrl+C ends as it ends ours while the server is not up yet."""

import sys

if __name__ == "__main__":
    try:
        import click
        from streamlit.web import cli

        try:
            cli.main(standalone_mode=False)
        except click.Abort as stopped:
            raise KeyboardInterrupt from stopped
    except KeyboardInterrupt:
        sys.stderr.write("已中断。\n")
        sys.exit(130)
