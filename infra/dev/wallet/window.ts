import { element } from './element.mjs';
import { panel } from './panel.mjs';
import { styles } from './styles.mjs';

/**
 * The wallet's own window over the page: what is requested, and Approve or Reject.
 * @param {{ title: string, text: string, lines?: [string, string][], choose?: boolean }} request `choose`: with the accounts
 * @returns {Promise<boolean>} whether it was approved; closing it by Escape is no
 */
export async function ask({ title, text, lines = [], choose = false }) {
  const host = element('div', { 'data-development-wallet': '' });
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [styles()];
  const reject = element('button', { type: 'button' }, 'Reject');
  const approve = element('button', { type: 'button', class: 'primary' }, 'Approve');
  const dialog = element(
    'dialog',
    { 'aria-labelledby': 'title' },
    element('p', { class: 'ribbon' }, 'Development Wallet: test SOL'),
    element('h1', { id: 'title' }, title),
    element('p', {}, text),
    ...lines.map(([amount, to]) =>
      element('p', { class: 'line' }, element('strong', {}, amount), element('code', {}, to)),
    ),
    ...(choose ? [await panel()] : []),
    element('div', { class: 'buttons' }, reject, approve),
  );
  root.append(dialog);
  document.body.append(host);
  // A click here is none on the page: its dialogs would close as if one had clicked beside them.
  for (const name of ['pointerdown', 'mousedown', 'touchstart', 'focusin', 'focusout', 'keydown']) {
    host.addEventListener(name, (event) => event.stopPropagation());
  }
  return new Promise((resolve) => {
    const end = (answer) => {
      dialog.close();
      host.remove();
      resolve(answer);
    };
    approve.addEventListener('click', () => end(true));
    reject.addEventListener('click', () => end(false));
    dialog.addEventListener('cancel', () => end(false));
    dialog.showModal();
    approve.focus();
  });
}
