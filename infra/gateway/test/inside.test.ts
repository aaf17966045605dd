import { DRAIN_MS_DEFAULT } from '@cord/kit/bounds';
import { serveHttp } from '@cord/kit/testing/http-server';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { expect, test } from 'vitest';
import { PROBE_EVERY_MS } from '../api/upstreams.js';
import { gatewayMetrics } from '../metrics.js';

test('a draining gateway is unready to its probers, but alive', async () => {
  let draining = false;
  const given = {
    streams: { size: 3 },
    routes: { refused: [] },
    callers: { onRefused: () => undefined },
    onReport: () => undefined,
    changedFiles: async () => [],
  };
  const parts = given as unknown as Parameters<typeof gatewayMetrics>[0];
  const { url } = stopAfterTest(await serveHttp(gatewayMetrics(parts, () => draining).answer));
  const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status;
  expect([await statusOf('/livez'), await statusOf('/readyz')]).toEqual([200, 200]);
  draining = true;
  expect([
    await statusOf('/livez'),
    await statusOf('/readyz'),
    await statusOf('/metrics'),
    await statusOf('/else'),
  ]).toEqual([200, 503, 200, 404]);
});

test('a service that ends is unready for at least twice the gateway’s probe interval', () => {
  expect(DRAIN_MS_DEFAULT).toBeGreaterThanOrEqual(2 * PROBE_EVERY_MS);
});
