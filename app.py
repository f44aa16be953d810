"""Entry of the web app: navigation first, then the frame, then the page. No content here."""

# Streamlit makes this file ``__main__``, and a worker process that parses a file imports its parent's ``__main__``:
# without the guard every worker would become a second app.
if __name__ == "__main__":
    import streamlit as st

    from nemo.ui.shared import drafts, frame, login, native, palette

    # A local favicon before st.navigation: a page icon alone is fetched from an outside font server.
    st.set_page_config(page_title=frame.PRODUCT, page_icon=frame.FAVICON, layout="wide")
    # First and always: until st.navigation has run once in the process, a deep link runs a page without this file.
    page = st.navigation(frame.pages())
    frame.forward(page.title)
    st.set_page_config(page_title=f"{page.title} · {frame.PRODUCT}")
    frame.dress()
    # The library first: where it is being opened in another thread, two first imports of one package would collide.
    frame.run(frame.warn_of_loss, frame.warn_of_refusal, login.gate, palette.draw, native.draw, drafts.draw, page.run)
