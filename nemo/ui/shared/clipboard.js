export default function(component) {
  const {data, parentElement} = component;
  const button = parentElement.querySelector('button'), words = button.querySelector('span');
  const paths = {
    copy: 'M360-240q-33 0-56.500-23.500T280-320v-480q0-33 23.500-56.500T360-880h360q33 0 56.500 23.500T800-800v480q0 33-23.500 56.500T720-240H360Zm0-80h360v-480H360v480ZM200-80q-33 0-56.500-23.500T120-160v-560h80v560h440v80H200Z',
    link: 'M440-280H280q-83 0-141.500-58.500T80-480q0-83 58.500-141.500T280-680h160v80H280q-50 0-85 35t-35 85q0 50 35 85t85 35h160v80ZM320-440v-80h320v80H320Zm200 160v-80h160q50 0 85-35t35-85q0-50-35-85t-85-35H520v-80h160q83 0 141.500 58.500T880-480q0 83-58.500 141.500T680-280H520Z',
    archive: 'M200-80q-33 0-56.500-23.500T120-160v-451q-18-11-29-28.500T80-680v-120q0-33 23.500-56.500T160-880h640q33 0 56.500 23.500T880-800v120q0 23-11 40.500T840-611v451q0 33-23.500 56.500T760-80H200Zm0-520v440h560v-440H200Zm-40-80h640v-120H160v120Zm200 280h240v-80H360v80Z',
    print: 'M640-640v-120H320v120h-80v-200h480v200h-80Zm-480 80h640-640Zm560 100q17 0 28.500-11.500T760-500q0-17-11.500-28.500T720-540q-17 0-28.500 11.500T680-500q0 17 11.500 28.500T720-460Zm-80 260v-160H320v160h320Zm80 80H240v-160H80v-240q0-51 35-85.500t85-34.500h560q51 0 85.500 34.500T880-520v240H720v160Z'
  };
  button.querySelector('path').setAttribute('d', paths[data.act]);
  button.setAttribute('aria-label', data.hint);
  button.title = data.hint;
  words.textContent = data.label;
  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); }
    catch (refused) {
      const area = document.createElement('textarea');
      area.value = text; document.body.append(area); area.select();
      const done = document.execCommand('copy'); area.remove();
      if (!done) { words.textContent = '浏览器不允许复制'; return; }
    }
    words.textContent = '已复制';
    setTimeout(() => { words.textContent = data.label; }, 1500);
  };
  button.onclick = () => {
    if (data.act === 'print') { window.print(); return; }
    copy(data.act !== 'copy' ? new URL(data.text, document.baseURI).href : data.text);
  };
}
