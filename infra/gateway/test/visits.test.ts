import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GATEWAY_USER } from '@cord/contracts/events/permissions';
import { VISITS_SUBJECT } from '@cord/contracts/events/visits';
import { folderStore } from '@cord/deploy/store/folder-store.mjs';
import { registryReader } from '@cord/deploy/store/registry.mjs';
import { createLogger } from '@cord/kit/log';
import { connectNats } from '@cord/kit/nats';
import { startHouseNats } from '@cord/kit/testing/house-nats';
import { expect, test } from 'vitest';
import { WATCH_BOUNDS } from '../watch/judge.js';
import { closing, lineFile, origin, upstream } from './origin.js';

const keep = closing();
/** Two visits, one of them with an error. */
const SMALLEST = { ...WATCH_BOUNDS, first: { ms: 600_000, visits: 2, failed: 1 } };
const NAME = 'mfe_tasks';
const VERSION = '1.0.0-b';

/** What a page tells of a visit of the new version. */
const told = (failed: boolean) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    errors: failed ? [{ message: 'x', module: NAME, versions: { shell: 's', sdk: '1.0.0', module: VERSION } }] : [],
    visits: [{ module: NAME, version: VERSION, n: 1_000 }],
  }),
});

/** The line that switches to the new version, just now. */
const switched = (seq: number) =>
  JSON.stringify({
    ...{ seq, action: 'publish', version: VERSION, from: '1.0.0-a', when: new Date().toISOString() },
    ...{ sdk: '^1.0.0', ui: '^1.0.0', parts: [], who: 'ann', by: 'person' },
  });

/** An auth that takes what it is told, or does not. */
const auth = async (status: number) => {
  const service = await upstream((request, response) => {
    request.resume();
    response.writeHead(status).end();
  });
  return { ...service, upstreams: { auth: [service.url] } };
};

const newestOf = async (site: { folder: string }) =>
  (await registryReader(folderStore(join(site.folder, 'store')))()).lines[NAME];

test('gateways tell each other of the visits that they hear of: neither knows enough, and together they take a version back', async () => {
  const nats = keep(await natsServer());
  const { upstreams } = keep(await auth(204));
  const settings = { NATS_URL: nats.urlFor(GATEWAY_USER) };
  const bounds = { ...SMALLEST, first: { ...SMALLEST.first, failed: 2 } };
  const one = keep(await origin({ upstreams, nats: settings }, { watchBounds: bounds }));
  const other = keep(
    await origin({ upstreams, nats: settings, moduleStore: join(one.folder, 'store') }, { watchBounds: bounds }),
  );
  await writeFile(join(one.folder, 'store', lineFile(2)), switched(2));
  const listener = await connectNats({ NATS_URL: nats.urlFor('admin') }, 'admin', createLogger('test', 'silent'));
  const tellers = new Set<string>();
  listener.nc.subscribe(VISITS_SUBJECT, {
    callback: (_, message) => void tellers.add(message.json<{ from: string }>().from),
  });
  const sites = [one, other];
  // Both are connected, and know the line, once both have told of a visit of its version.
  await expect
    .poll(async () => {
      await Promise.all(sites.map((site) => site.call('/api/client-errors', told(false))));
      return tellers.size;
    })
    .toBe(2);
  await listener.drain();
  for (const site of sites) await site.call('/api/client-errors', told(true));
  await expect
    .poll(() => newestOf(one))
    .toMatchObject({
      ...{ action: 'rollback', version: '1.0.0-a', by: 'system' },
      why: expect.stringMatching(/^its first minute: 2 of \d+ visits with an error, 0 of 0 visits of 1.0.0-a$/),
    });
});

test('a message is one visit whatever it says, and counts once the service has taken it', async () => {
  const [taking, refusing] = [keep(await auth(204)), keep(await auth(429))];
  const site = keep(await origin({ upstreams: taking.upstreams }, { watchBounds: SMALLEST }));
  const refused = keep(
    await origin({ upstreams: refusing.upstreams, moduleStore: join(site.folder, 'store') }, { watchBounds: SMALLEST }),
  );
  await writeFile(join(site.folder, 'store', lineFile(2)), switched(2));
  for (let n = 0; n < 3; n += 1) expect((await refused.call('/api/client-errors', told(true))).status).toBe(429);
  await expect
    .poll(async () => {
      await site.call('/api/client-errors', told(true));
      return (await newestOf(site))?.action;
    })
    .toBe('rollback');
  const { why } = (await newestOf(site)) as unknown as { why: string };
  expect(why).toMatch(/^its first minute: (\d+) of \1 visits with an error/);
  expect(Number(/(\d+) of/.exec(why)?.[1])).toBeLessThan(1_000);
});

async function natsServer() {
  const server = await startHouseNats();
  return { ...server, close: () => server.stop() };
}
