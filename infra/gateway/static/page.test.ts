import { readFileSync } from 'node:fs';
import { CARD } from '@cord/contracts/drawing/card';
import { serveHttp } from '@cord/kit/testing/http-server';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import Koa from 'koa';
import { expect, test } from 'vitest';
import { servePage } from './page.js';
import type { Published } from './registry.js';

const ORIGIN = new URL('http://localhost:8080');

/** Returns the page as sent to a signed-in visitor. */
async function pageWith(
  published: Published,
  { page = '<!-- registry --><p>page</p>', path = '/' } = {},
): Promise<string> {
  const source = async () => page;
  const app = new Koa().use(servePage(source, published, ORIGIN, () => []));
  const { url } = stopAfterTest(await serveHttp(app.callback()));
  return (await fetch(`${url}${path}`, { headers: { cookie: 'cord=a.b.c' } })).text();
}

test('no text of a module can end the script element of the registry', async () => {
  const tab = { words: { en: '</script><script>alert(1)</script>$&' } };
  const entry = { version: '1', entry: '/m', sdk: '^1.0.0', tab, parts: [] };
  const html = await pageWith(async () => ({ version: '1', modules: { mfe_bad: entry } }));
  expect(html.match(/<\/?script/g)).toHaveLength(2);
  const data = /<script[^>]*>([^<]*)</.exec(html)?.[1] ?? '';
  expect(JSON.parse(data).modules.mfe_bad.tab).toEqual(tab);
});

test('with an unreadable module store, the page is served without the registry', async () => {
  expect(await pageWith(() => Promise.reject(new Error('the disk is away')))).toBe('<p>page</p>');
});

test('a shared link has its card in the preview tags, and other addresses keep the default tags', async () => {
  const page = readFileSync(new URL('../../../shell/index.html', import.meta.url), 'utf8');
  const tagsAt = async (path: string) => {
    const html = await pageWith(async () => ({ version: '1', modules: {} }), { page, path });
    return Object.fromEntries(
      [...html.matchAll(/<meta property="og:([a-z:]+)" content="([^"]*)"/g)].map(([, name, text]) => [name, text]),
    );
  };
  const plain = await tagsAt('/');
  expect(plain.image).toBe(`${ORIGIN.origin}/share.png`);
  expect(await tagsAt('/?ref=%20k7m2qx9d')).toMatchObject({
    url: `${ORIGIN.origin}/?ref=K7M2QX9D`,
    image: `${ORIGIN.origin}/share/K7M2QX9D.png`,
    'image:width': String(CARD.width),
    'image:height': String(CARD.height),
    'image:alt': expect.stringContaining('Code K7M2QX9D.'),
    title: 'You are invited to CORD',
  });
  const miner = 'a'.repeat(32);
  expect(await tagsAt(`/?tab=leaderboard&miner=${miner}`)).toMatchObject({
    url: `${ORIGIN.origin}/?tab=leaderboard&#38;miner=${miner}`,
    image: `${ORIGIN.origin}/share/rank/${miner}.png`,
  });
  expect(await tagsAt('/?ref=K7M2QX9D&lang=de')).toMatchObject({
    url: `${ORIGIN.origin}/?ref=K7M2QX9D&#38;lang=de`,
    image: `${ORIGIN.origin}/share/K7M2QX9D.png?lang=de`,
    title: 'Du bist zu CORD eingeladen',
  });
  expect(await tagsAt(`/?tab=leaderboard&miner=${miner}&lang=xx`)).toMatchObject({
    image: `${ORIGIN.origin}/share/rank/${miner}.png`,
  });
  const others = ['ref=x"><script>', 'ref=ABC', 'ref=', `miner=${miner}`, 'tab=leaderboard&miner=../x', 'tab=tasks'];
  for (const query of others) expect(await tagsAt(`/?${query}`), query).toEqual(plain);
});
