import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { expect, test } from 'vitest';
import { servePage } from './page.js';
import type { Published } from './registry.js';

const ORIGIN = new URL('http://localhost:8080');

/** The page as somebody who is signed in gets it. */
async function pageWith(published: Published): Promise<string> {
  const source = async () => '<!-- registry --><p>page</p>';
  const server = new Koa().use(servePage(source, published, ORIGIN, () => [])).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { cookie: 'cord=a.b.c' } });
  server.close();
  return answer.text();
}

test('nothing that a module says of itself ends the element that holds it', async () => {
  const tab = { words: { en: '</script><script>alert(1)</script>$&' } };
  const entry = { version: '1', entry: '/m', sdk: '^1.0.0', tab, parts: [] };
  const html = await pageWith(async () => ({ version: '1', modules: { mfe_bad: entry } }));
  expect(html.match(/<\/?script/g)).toHaveLength(2);
  const data = /<script[^>]*>([^<]*)</.exec(html)?.[1] ?? '';
  expect(JSON.parse(data).modules.mfe_bad.tab).toEqual(tab);
});

test('a module store that cannot be read costs the page nothing but its registry', async () => {
  expect(await pageWith(() => Promise.reject(new Error('the disk is away')))).toBe('<p>page</p>');
});
