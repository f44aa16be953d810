export default function({data}) {
  const dialog = document.querySelector('[role="dialog"]'), field = dialog && dialog.querySelector('input');
  if (!field) return;
  if (!field.matches(':focus') && document.activeElement.tagName !== 'A') field.focus();
  const lines = () => [...dialog.querySelectorAll('[data-testid="stPageLink"] a')];
  const open = () => {  // the lines are those of what stands in the field, or will be in a moment
    const fits = field.value.trim() === dialog.dataset.nemoOf;
    dialog.dataset.nemoOpens = fits ? '' : 'soon';
    if (fits) lines()[0]?.click();
  };
  const begun = 'nemoOf' in dialog.dataset;
  dialog.dataset.nemoOf = data.words;
  if (dialog.dataset.nemoOpens) setTimeout(open, 100);
  if (begun) return;
  dialog.addEventListener('keydown', (press) => {
    const at = lines().indexOf(document.activeElement), step = {ArrowDown: 1, ArrowUp: -1}[press.key];
    if (press.isComposing) return;
    if (press.key === 'Enter' && press.target === field) open();
    if (!step) return;
    press.preventDefault();
    (at + step < 0 ? field : lines()[at + step] || document.activeElement).focus();
  });
}
