const STORE = 'nemo-drafts', MOST = 50, LONGEST = 1000000;
const FIELDS = ':is([data-testid=stMain], [data-testid=stPopoverBody]) :is([data-testid=stTextInput] input, [data-testid=stTextArea] textarea):not([type=password])';
const held = new Map(), bases = new WeakMap(), met = new WeakMap(), open = new Set();
let person, sent, pressed = [], waiting;
const name = (field) => /st-key-(\S+)/.exec(field.closest('[class*="st-key-"]')?.className)?.[1];
const bare = (key) => key.replace(/_\d+$/, '');  // a form that was sent goes on under the next number
const here = (one) => one.path === location.pathname;
const asked = (text) => [...new URLSearchParams(location.search).values()].includes(text.trim());

function keep() {
  const all = [...held.values()].sort((a, b) => b.when - a.when).slice(0, MOST);
  let room = LONGEST;
  const kept = all.filter(({text}) => (room -= text.length) >= 0).map(({field, ...one}) => one);
  for (const one of all) if (!kept.some(({id}) => id === one.id)) held.delete(one.id);
  sessionStorage.setItem(STORE, JSON.stringify({person, kept}));
}

function write(field, key) {
  const base = bases.get(field), id = `${location.pathname} ${key}`;
  if (base === undefined) return;
  if (field.value === base) held.delete(id);
  else held.set(id, {id, key, path: location.pathname, at: location.search, base, text: field.value, when: Date.now(), field});
}

function meet(field, fields) {  // an element that was not there before: what was typed before the reload belongs there again
  const key = name(field), all = [...held.values()].filter(one => here(one) && !one.field?.isConnected);
  const alone = (one) => !one.field && fields.filter(each => bare(name(each)) === bare(one.key)).length === 1;
  const one = all.find(each => each.key === key) || all.find(each => bare(each.key) === bare(key) && alone(each));
  const fits = one && (field.value === one.text || (!one.field && field.value === one.base));
  if (!fits || one.at !== location.search) return;
  held.delete(one.id);
  const id = `${one.path} ${key}`;
  held.set(id, {...one, id, key, field});
  bases.set(field, one.base);
  if (field.value === one.text) return;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, one.text);
  field.dispatchEvent(new Event('input', {bubbles: true}));
  open.add(field);
  if (field.matches('textarea')) setTimeout(hand, 100);  // a line may ask something as it is handed over: not by itself
}

function hand() {  // what was put back is handed over as what is typed is: when the reader turns to something else
  for (const field of open) if (field !== document.activeElement) {
    open.delete(field);
    field.dispatchEvent(new FocusEvent('focusout', {bubbles: true}));
  }
}

function look() {
  const fields = [...document.querySelectorAll(FIELDS)].filter(name);
  for (const field of fields) if (met.get(field) !== name(field)) { met.set(field, name(field)); meet(field, fields); }
  for (const one of held.values()) {
    if (!here(one)) one.field = undefined;  // left for another page: who comes back finds it as after a reload
    if (!one.field?.isConnected) continue;
    if (one.field.value !== one.text || asked(one.text)) {  // the app took it
      held.delete(one.id);
      bases.set(one.field, one.field.value);
    }
    else one.at = location.search;
  }
  keep();
}

function taken() {  // a button did its work: what stood beside it is sent, and what went with it
  for (const {id, field, near} of pressed) {
    if (!near && field.isConnected && name(field) === held.get(id)?.key) continue;
    held.delete(id);
    bases.set(field, field.value);
  }
  pressed = [];
}

const later = () => { clearTimeout(waiting); waiting = setTimeout(look, 250); };
const hears = {
  focusin: ({target}) => { if (target.matches?.(FIELDS) && !held.has(`${location.pathname} ${name(target)}`)) bases.set(target, target.value); },
  input: ({target}) => { if (target.matches?.(FIELDS) && name(target)) { write(target, name(target)); keep(); } },
  visibilitychange: look,  // the last that a page hears: what was just sent is not kept
  pointerdown: hand,
  keydown: ({key, target}) => { if (key === 'Enter' && !open.has(target)) hand(); },
  click: ({target}) => {
    if (target.closest?.('[data-testid=stSidebarNavLink], .stHtml a[href]')) for (const one of held.values()) one.field = undefined;
    const button = target.closest?.('button');
    if (!button) return;
    if (button.closest('.st-key-sign_out')) { held.clear(); return keep(); }
    const beside = button.closest('[data-testid=stForm]') || button.closest('[data-testid=stElementContainer]')?.parentElement;
    pressed = [...held.values()].filter(({field}) => field?.isConnected).map(({id, field}) => ({id, field, near: beside?.contains(field)}));
  },
};

export default function({data}) {
  if (person !== data.person) {
    person = data.person;
    held.clear();
    const stored = JSON.parse(sessionStorage.getItem(STORE) || '{}');
    if (stored.person === person) for (const one of stored.kept) held.set(one.id, one);
  }
  if (sent !== undefined && sent !== data.sent) setTimeout(() => { taken(); look(); }, 400);
  sent = data.sent;
  const seen = new MutationObserver(later);
  seen.observe(document.body, {childList: true, subtree: true});
  for (const [event, hear] of Object.entries(hears)) document.addEventListener(event, hear, true);
  later();
  return () => {
    seen.disconnect();
    for (const [event, hear] of Object.entries(hears)) document.removeEventListener(event, hear, true);
  };
}
