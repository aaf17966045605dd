import { rpc } from '@cord/contracts/rpc/rpc';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { connectNats } from '../nats.js';
import { conflict, type Problem, unavailable } from '../problem.js';
import { startCable } from '../testing/cable.js';
import { startTestBackend } from '../testing/index.js';
import { forAllTests, stopAfterTest } from '../testing/lifetimes.js';
import type { Consuming } from './consume.js';

const ANSWERED_MS_MAX = 15_000;
const UNANSWERED_MS = 200;
const replica = z.object({ replica: z.number() });
const declared = rpc('test.each', { from: ['rewards'], by: 'mining', toEach: true }, z.object({}), replica);

const backend = forAllTests(() => startTestBackend({ store: false, own: true }));
const serving: Consuming[] = [];
afterEach(async () => {
  for (const one of serving.splice(0)) await one.stop();
});

/** Replicas that answer with their number, or refuse. @returns the numbers of those that were called, as it goes on */
function serve(...refusals: (Problem | null)[]) {
  const called: number[] = [];
  for (const [n, refusal] of refusals.entries())
    serving.push(
      backend.nats.serve(declared, async () => {
        called.push(n);
        if (refusal) throw refusal;
        return { replica: n };
      }),
    );
  return called;
}
const request = (timeoutMs = ANSWERED_MS_MAX) => backend.nats.request(declared, {}, { timeoutMs });
const away = unavailable('store-unavailable', 'The store is away', 1);

describe('a request to each replica', () => {
  it('is handled by all and gets one response', async () => {
    const called = serve(null, null);
    expect([0, 1]).toContain((await request()).replica);
    await expect.poll(() => called).toHaveLength(2);
  });

  it('gets the response of a replica that can respond, although others have refused before', async () => {
    serve(away, away, null);
    for (let n = 0; n < 8; n += 1) expect(await request()).toEqual({ replica: 2 });
  });

  it('does not wait for a replica that is cut off from NATS without noticing', async () => {
    const cable = stopAfterTest(await startCable(backend.natsUrl));
    const cutOff = await connectNats({ NATS_URL: cable.url }, backend.nats.service as never, backend.nats.log);
    serving.push(cutOff.serve(declared, async () => ({ replica: 7 })));
    serve(null);
    await cutOff.nc.flush();
    cable.cut();
    for (let n = 0; n < 8; n += 1) expect(await request()).toEqual({ replica: 0 });
    cable.mend();
    await cutOff.drain();
  });

  it('is refused when a rule refuses it', async () => {
    serve(away, conflict('taken', 'Taken'));
    await expect(request()).rejects.toMatchObject({ status: 409, type: 'taken' });
  });

  it('gets 503 when no replica can respond, or none is there', async () => {
    await expect(request()).rejects.toMatchObject({ status: 503, type: 'service-unavailable' });
    serve(away, away);
    await expect(request(UNANSWERED_MS)).rejects.toMatchObject({ status: 503, type: 'service-unavailable' });
  });
});
