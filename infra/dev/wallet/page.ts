import { element } from './element.js';
import { panel } from './panel.js';
import { styles } from './styles.js';

/** The wallet's own page: a connected CORD page in another tab follows changes of account or network. */
document.adoptedStyleSheets = [styles()];
document.body.append(
  element(
    'main',
    {},
    element('p', { class: 'ribbon' }, 'Development Wallet: test SOL'),
    element('h1', {}, 'Accounts'),
    await panel(),
    element('p', {}, 'A page of CORD in another tab follows at once.'),
    element('a', { href: '/' }, 'Back to CORD'),
  ),
);
