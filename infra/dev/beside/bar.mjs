/**
 * Says in the page which module is not the system's own, and whether it builds. Comes from the developer's machine, and is in
 * no build.
 */
const { module, shell, changes } = document.querySelector('script[data-module][data-shell]').dataset;
const WELL = { background: '#7a2e00', text: `${module} comes from this machine; everything else is ${shell}` };

const bar = document.createElement('div');
bar.setAttribute('role', 'note');
bar.dataset.testid = 'override-bar';
Object.assign(bar.style, {
  position: 'fixed',
  insetInline: '0',
  bottom: '0',
  zIndex: '2147483647',
  maxHeight: '40vh',
  overflow: 'hidden',
  padding: '4px 12px',
  color: '#ffffff',
  font: '13px/1.4 system-ui, sans-serif',
  textAlign: 'center',
  whiteSpace: 'pre-wrap',
  pointerEvents: 'none',
});
say(WELL);
document.documentElement.append(bar);

// What the module's server tells its own code as well: whether the last change could be built.
const socket = new WebSocket(new URL(changes, location.href.replace(/^http/, 'ws')));
socket.addEventListener('message', ({ data }) => {
  const { type, data: told } = JSON.parse(data);
  if (type === 'errors') say(failed(told));
  else if (type === 'ok' || type === 'warnings') say(WELL);
});
socket.addEventListener('close', () => say({ background: '#8b0018', text: `${module}: its server has ended` }));

function say({ background, text }) {
  bar.style.background = background;
  bar.textContent = text;
}

function failed([first, ...others]) {
  const { moduleName = '', message = String(first) } = first ?? {};
  const more = others.length > 0 ? `\nand ${others.length} more` : '';
  return {
    background: '#8b0018',
    text: `${module} does not build, so the previous version stays: ${moduleName}\n${message}${more}`,
  };
}
