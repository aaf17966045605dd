import { element } from './element.js';
import { panel } from './panel.js';
import { styles } from './styles.js';

/** A request that the user approves or rejects. */
export interface Approval {
  title: string;
  text: string;
  /** Amount and recipient of each payment. */
  lines?: [amount: string, to: string][];
  /** Whether the user can choose the account. */
  choose?: boolean;
}

/**
 * The wallet's own window over the page: shows the request, with Approve and Reject.
 * @returns whether it was approved; Escape rejects
 */
export async function approve({ title, text, lines = [], choose = false }: Approval): Promise<boolean> {
  const host = element('div', { 'data-development-wallet': '' });
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [styles()];
  const reject = element('button', { type: 'button' }, 'Reject');
  const accept = element('button', { type: 'button', class: 'primary' }, 'Approve');
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
    element('div', { class: 'buttons' }, reject, accept),
  );
  root.append(dialog);
  document.body.append(host);
  // Stops events of this window: dialogs of the page would treat a click here as one outside and close.
  for (const name of ['pointerdown', 'mousedown', 'touchstart', 'focusin', 'focusout', 'keydown']) {
    host.addEventListener(name, (event) => event.stopPropagation());
  }
  return new Promise((resolve) => {
    const end = (approved: boolean) => {
      dialog.close();
      host.remove();
      resolve(approved);
    };
    accept.addEventListener('click', () => end(true));
    reject.addEventListener('click', () => end(false));
    dialog.addEventListener('cancel', () => end(false));
    dialog.showModal();
    accept.focus();
  });
}
