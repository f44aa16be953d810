export default function({data}) {
  const names = ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext', 'aria-roledescription'];
  const picked = names.map(name => `[${name}]`).join(), phrases = data.phrases.map(([re, to]) => [new RegExp(re), to]);
  const ours = '.stHtml, [data-testid="stText"], pre, code, script, style';
  const said = (word) => {
    if (!word || !/[A-Za-z]{3}/.test(word)) return;
    if (data.words[word]) return data.words[word];
    const [, what, sign, of] = /^([A-Za-z /-]+)(: |, )(.+)$/.exec(word) || [];
    if (what && data.words[what]) return `${data.words[what]}${sign === ': ' ? '：' : '，'}${of}`;
    const day = /^Selected Date: (.+)$/.exec(word);
    if (day) return `已选日期：${new Date(day[1]).toLocaleDateString('zh-CN')}`;
    for (const [re, to] of phrases) if (re.test(word)) return word.replace(re, to);
  };
  const name = (part) => {
    for (const each of names) { const word = said(part.getAttribute(each)); if (word) part.setAttribute(each, word); }
  };
  const tell = (node) => {
    const bare = node.nodeValue.trim(), word = /^[a-z_]+$/.test(bare) ? '' : said(bare);  // in small letters: an icon
    if (word && node.parentElement && !node.parentElement.closest(ours)) node.nodeValue = word;
  };
  const mend = (part) => {
    if (part.nodeType === 3) return tell(part);
    if (part.nodeType !== 1) return;
    for (const each of [part, ...part.querySelectorAll(picked)]) name(each);
    if (part.closest(ours)) return;
    const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) tell(walk.currentNode);
  };
  mend(document.body);
  const seen = new MutationObserver((changes) => {
    for (const {type, target, addedNodes} of changes)
      if (type === 'childList') addedNodes.forEach(mend); else if (type === 'attributes') name(target); else tell(target);
  });
  seen.observe(document.body, {childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: names});
  const close = ({target}) => {  // on a phone the menu covers the page that was chosen from it
    const chosen = innerWidth <= 768 && target.closest && target.closest('[data-testid="stSidebarNavLink"]');
    if (chosen) setTimeout(() => document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click(), 50);
  };
  const go = (address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
    document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
  };
  const plain = (click, links) => {
    const aside = click.button || click.ctrlKey || click.metaKey || click.shiftKey || click.altKey;
    return !aside && click.target.closest && click.target.closest(links);
  };
  const follow = (click) => {  // as Streamlit's own links do; it strips targets, and a page loaded anew has lost who signed in
    const link = plain(click, '.stHtml a[href]');
    if (!link || link.getAttribute('href').startsWith('#')) return;
    click.preventDefault();
    if (link.origin === location.origin) go(link.href); else open(link.href, '_blank', 'noopener');
  };
  const stay = (press) => {  // who leaves asks nothing: a field that loses the keyboard is sent, and the click is lost to what it asks
    const field = document.activeElement?.matches('[data-testid="stTextInput"] input, [data-testid="stTextArea"] textarea');
    if (field && plain(press, 'a[href], [data-testid="stLogoLink"]')) press.preventDefault();
  };
  const begin = (click) => {  // the menu's entry of the open page leads to its beginning; Streamlit would draw the same again
    const link = plain(click, '[data-testid="stSidebarNavLink"]');
    if (!link || link.pathname !== location.pathname || !location.search) return;
    click.preventDefault();
    click.stopPropagation();
    go(link.href);
  };
  const walk = (press) => {
    const over = press.key === 'Escape' && document.querySelector('[role="dialog"]');
    if (over && !over.contains(document.activeElement)) over.querySelector('[aria-label="关闭"]')?.click();  // it hears its own keys only
    if (press.key !== 'Tab') return;
    document.querySelectorAll('.st-key-list_table canvas').forEach(grid => { grid.tabIndex = -1; });  // its first cell would open
    const at = document.activeElement, opener = document.querySelector('[data-testid="stPopoverButton"][aria-expanded="true"]');
    if (at.closest('canvas')) return press.stopPropagation();  // out of a grid, not through all its cells
    const stops = [...document.querySelectorAll('[data-testid="stPopoverBody"] :is(a[href], button:enabled, input, textarea)')];
    const next = at === opener ? !press.shiftKey && stops[0] : stops[stops.indexOf(at) + (press.shiftKey ? -1 : 1)] || opener;
    if (!next || (at !== opener && !stops.includes(at))) return;
    press.preventDefault();  // what opens over the page hangs at its end, behind everything else
    next.focus();
  };
  const step = history.pushState, typed = (address) => new URL(address, location).href.replace(/([?&]words=)[^&]+/, '$1');
  let acted = '';
  const act = ({type}) => { acted = type === 'popstate' ? '' : type; }, acts = ['pointerdown', 'click', 'keydown', 'input', 'popstate'];
  history.pushState = (state, title, address) => {
    // Words that somebody types on are one step, and not one a letter; what the app adds to an address by itself is none:
    // whoever comes back to it would be sent forward again.
    const on = location.search.includes('words=') && typed(address) === typed(location);
    (on || !acted ? history.replaceState : step).call(history, state, title, address);
    if (!on || acted === 'input') acted = '';  // a click while words still come is a step to come
  };
  const heard = [close, begin, follow];
  heard.forEach(each => document.addEventListener('click', each, true));
  document.addEventListener('mousedown', stay, true);
  document.addEventListener('keydown', walk, true);
  acts.forEach(each => addEventListener(each, act, true));
  return () => {
    history.pushState = step;
    seen.disconnect();
    heard.forEach(each => document.removeEventListener('click', each, true));
    document.removeEventListener('mousedown', stay, true);
    document.removeEventListener('keydown', walk, true);
    acts.forEach(each => removeEventListener(each, act, true));
  };
}
