import { serveHttp } from '@cord/kit/testing/http-server';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
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
])('a module under hot reload uses the current sdk, even if it %s', async (_what, modules) => {
  const published = { version: '1.0.0-m', entry: '/m', sdk: '^1.1.0', parts: [] };
  const releases = async () => ({
    version: '3',
    modules: { ...modules, mfe_mining: published },
    lines: {},
    problems: [],
  });
  const app = new Koa().use(serveRegistry(publishedIn(releases, null, REMOTE)));
  const { url } = stopAfterTest(await serveHttp(app.callback()));
  const answer = await fetch(`${url}/remotes.json`);
  expect(await answer.json()).toEqual({
    version: '3',
    modules: {
      mfe_tasks: { version: 'dev', entry: REMOTE.entry, sdk: '^1.2.0', parts: REMOTE.parts },
      mfe_mining: published,
    },
  });
});
