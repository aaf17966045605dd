import { readFile } from 'node:fs/promises';
import Router from '@koa/router';
import type { MakeArea } from '../area.js';
import { html, sendPage } from '../html.js';

/** Folder of the wallet's files compiled by `npm run build`, used even when the console runs from sources. */
const FILES = new URL(import.meta.url.includes('/dist/') ? '../../wallet/' : '../../dist/wallet/', import.meta.url);
const MODULE = /^[a-z0-9]+\.js$/;
/** Source maps are removed: their sources are not served. */
const SOURCE_MAP = /^\/\/# sourceMappingURL=.*$/m;

/** Serves the development wallet (infra/dev/wallet): its modules and its own page. */
export const walletArea: MakeArea = async () => {
  const router = new Router();
  router.get('/dev/wallet', (ctx) => {
    sendPage(ctx, 200, PAGE);
    ctx.set(
      'content-security-policy',
      "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
    );
  });
  router.get('/dev/wallet/:name', async (ctx) => {
    const { name = '' } = ctx.params;
    const source = MODULE.test(name) ? await readFile(new URL(name, FILES), 'utf8').catch(() => null) : null;
    if (source === null) return;
    ctx.set('cache-control', 'no-cache');
    ctx.type = 'text/javascript';
    ctx.body = source.replace(SOURCE_MAP, '');
  });
  return {
    title: 'Development wallet',
    help: ['A Solana wallet in the page, offered by "Connect wallet". Its accounts, its network and SOL: /dev/wallet.'],
    routes: router.routes(),
  };
};

const PAGE = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Development Wallet</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml"><script type="module" src="/dev/wallet/page.js"></script></head>
<body></body>
</html>
`;
