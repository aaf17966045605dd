import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { Upstreams } from '../api/upstreams.js';
import { closing, upstream } from './origin.js';

const keep = closing();
const silent: RequestListener = (incoming) => incoming.socket.destroy();
const answers: RequestListener = (_, response) => response.end('{"status":"ok","replica":0}');
const unready: RequestListener = (_, response) => response.writeHead(503).end();

/** A replica that answers its probes as told, and what the gateway holds of it afterwards. */
async function probed() {
  let how = answers;
  const one = keep(await upstream(undefined, 0, (incoming, response) => how(incoming, response)));
  const upstreams = new Upstreams({ mining: [one.url] });
  const after = async (next: RequestListener) => {
    how = next;
    const ready = (await upstreams.probe()).get('mining');
    expect(upstreams.inTurn('mining')[0]?.ready).toBe(ready);
    return ready;
  };
  return { one, after, upstreams };
}

test('two unanswered probes in a row take a replica off, not one, and one answer brings it back', async () => {
  const { after } = await probed();
  expect(await after(answers)).toBe(true);
  expect(await after(silent)).toBe(true);
  expect(await after(answers)).toBe(true);
  expect(await after(silent)).toBe(true);
  expect(await after(silent)).toBe(false);
  expect(await after(silent)).toBe(false);
  expect(await after(answers)).toBe(true);
});

test('a replica that says it is not ready, or refuses the connection, is off at once', async () => {
  const talking = await probed();
  expect(await talking.after(unready)).toBe(false);
  expect(await talking.after(answers)).toBe(true);
  const gone = await probed();
  await gone.one.close();
  expect(await gone.after(answers)).toBe(false);
});

test('probes asked for at once come one after the other: a single stall is one miss', async () => {
  const { one, after, upstreams } = await probed();
  let stalled = 0;
  let under = 0;
  const stall: RequestListener = async (incoming) => {
    under += 1;
    expect(under).toBe(1);
    stalled += 1;
    await new Promise((resolve) => setImmediate(resolve));
    under -= 1;
    incoming.socket.destroy();
  };
  expect(await Promise.all([after(stall), upstreams.probe().then((ready) => ready.get('mining'))])).toEqual([
    true,
    false,
  ]);
  expect(stalled).toBe(2);
  expect(one.seen).toEqual([]);
});
