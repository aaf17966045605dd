import { readdir, readFile } from 'node:fs/promises';
import Router from '@koa/router';
import type { MakeArea } from '../area.js';
import { html, sendPage } from '../html.js';

const FILES = new URL(import.meta.url.includes('/dist/') ? '../../../wallet/' : '../../wallet/', import.meta.url);
const MODULE = /^[a-z0-9]+\.mjs$/;

/** The development wallet (infra/dev/wallet): its modules, and its own page. */
export const walletArea: MakeArea = async () => {
  const names = (await readdir(FILES)).filter((name) => MODULE.test(name));
  const modules = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, FILES), 'utf8')] as const)),
  );
  const router = new Router();
  router.get('/dev/wallet', (ctx) => {
    sendPage(ctx, 200, PAGE);
    ctx.set(
      'content-security-policy',
      "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
    );
  });
  router.get('/dev/wallet/:name', (ctx) => {
    const source = modules.get(ctx.params.name ?? '');
    if (source === undefined) return;
    ctx.set('cache-control', 'no-cache');
    ctx.type = 'text/javascript';
    ctx.body = source;
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
<link rel="icon" href="/favicon.svg" type="image/svg+xml"><script type="module" src="/dev/wallet/page.mjs"></script></head>
<body></body>
</html>
`;
