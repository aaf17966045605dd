import { serveHttp } from '@cord/kit/testing/http-server';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, test } from 'vitest';
import { listenTo, visitTabs, withPage } from './browser.js';

/** Two tabs. The second loads for a while, then shows a failure, and reports it half a second later, like the shell, unless it is left. */
const PAGE = `<!doctype html><p data-testid="tab-first">First</p><main></main><script>
  const show = (html) => (document.querySelector('main').innerHTML = html);
  const report = (message) => navigator.sendBeacon('/', new Blob([JSON.stringify(message)]));
  addEventListener('pagehide', () => report({ visits: [{ module: 'mfe_x', version: '1' }] }));
  const fail = () => {
    show('<section data-testid="error-panel"><h2>Tasks could not be loaded</h2></section>');
    const timer = setTimeout(() => report({ errors: [{ message: 'a file did not come' }] }), 500);
    addEventListener('pagehide', () => clearTimeout(timer), { once: true });
  };
  if (location.search === '?tab=second') {
    show('<p role="status" aria-busy="true"></p>');
    setTimeout(fail, 1_500);
  }
</script>`;

const site = forAllTests(() =>
  serveHttp((_request, response) => response.setHeader('content-type', 'text/html').end(PAGE)),
);

test('a tab that fails after it loaded is detected by what it shows and by what it reports', async () => {
  const found = await withPage(site.url, async (page) => {
    const { faults, shown } = await listenTo(page, { thrown: () => true, written: () => true, reported: () => true });
    const failed = await visitTabs(page, site.url, ['first', 'second'], () => shown.includes('mfe_x 1'));
    return [...failed, ...faults];
  });
  expect(found).toEqual([
    'in Chromium: the tab second shows: Tasks could not be loaded',
    'in Chromium: a file did not come',
  ]);
});
