import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { expect, test } from 'vitest';
import { publishedIn, serveRegistry } from './registry.js';

const REMOTE = {
  name: 'mfe_tasks',
  url: 'http://127.0.0.1:1',
  prefix: '/modules/mfe_tasks/dev/',
  entry: '/modules/mfe_tasks/dev/mf-manifest.json',
  sdk: '^1.2.0',
  parts: [{ name: 'card' }],
};

test.each([
  ['was never built here, as on a fresh clone', {}],
  ['was built here against an older sdk', { mfe_tasks: { version: '1.0.0-a', entry: '/e', sdk: '^1.0.0', parts: [] } }],
])('the module under hot reload works with the sdk beside it, though it %s', async (_what, modules) => {
  const published = { version: '1.0.0-m', entry: '/m', sdk: '^1.1.0', parts: [] };
  const releases = async () => ({
    version: '3',
    modules: { ...modules, mfe_mining: published },
    lines: {},
    problems: [],
  });
  const server = new Koa().use(serveRegistry(publishedIn(releases, null, REMOTE))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/remotes.json`);
  server.close();
  expect(await answer.json()).toEqual({
    version: '3',
    modules: {
      mfe_tasks: { version: 'dev', entry: REMOTE.entry, sdk: '^1.2.0', parts: REMOTE.parts },
      mfe_mining: published,
    },
  });
});
