/** Says in the page which module is not the system's own. Comes from the developer's machine, and is in no build. */
const { module, shell } = document.querySelector('script[data-module][data-shell]').dataset;
const bar = document.createElement('div');
bar.setAttribute('role', 'note');
bar.dataset.testid = 'override-bar';
bar.textContent = `${module} comes from this machine; everything else is ${shell}`;
Object.assign(bar.style, {
  position: 'fixed',
  insetInline: '0',
  bottom: '0',
  zIndex: '2147483647',
  padding: '4px 12px',
  background: '#7a2e00',
  color: '#ffffff',
  font: '13px/1.4 system-ui, sans-serif',
  textAlign: 'center',
  pointerEvents: 'none',
});
document.documentElement.append(bar);
