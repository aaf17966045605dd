import { expect, test } from 'vitest';
import { BEATS, COMMENTS_A_PRESENCE, STREAM_BACKLOG_BYTES_MAX } from './bounds.js';
import type { LiveHandler } from './live-messages.js';
import { Streams, type Why } from './streams.js';

/** A response that keeps what is written; one that is not read keeps it waiting. */
function response(readsNothing = false) {
  let close = () => {};
  const written: string[] = [];
  const made = {
    written,
    ended: false,
    destroyed: false,
    writableLength: 0,
    on: (_event: string, run: () => void) => {
      close = run;
      return made;
    },
    write(text: string | Buffer) {
      written.push(String(text));
      if (readsNothing) made.writableLength += text.length;
      return true;
    },
    end(text = '') {
      written.push(String(text));
      made.ended = true;
      return made;
    },
    destroy() {
      made.destroyed = true;
      return made;
    },
    /** The browser has gone. */
    gone: () => close(),
  };
  return made;
}

function world() {
  const handlers = new Map<string, LiveHandler>();
  const why: Why[] = [];
  const saw: string[] = [];
  const streams = new Streams({
    subscribe: (userId, run) => {
      handlers.set(userId, run);
      return () => void handlers.delete(userId);
    },
    saw: (userId) => void saw.push(userId),
    nowMs: () => 1_000,
    onEnded: (reason) => void why.push(reason),
  });
  const open = (id: string, readsNothing = false) => {
    const made = response(readsNothing);
    streams.open(made as never, id);
    return made;
  };
  return { streams, handlers, why, saw, open };
}

test('each stream gets one comment in 25 s, and marks its user as online now and then', () => {
  const { streams, open, saw } = world();
  const all = Array.from({ length: 3 * BEATS + 1 }, (_, n) => open(`user-${n}`));
  for (const each of all) each.written.length = 0;
  for (let beat = 0; beat < BEATS; beat += 1) streams.beat();
  expect(all.map(({ written }) => written)).toEqual(all.map(() => [':\n\n']));
  expect(saw).toHaveLength(all.length);
  for (let beat = 0; beat < BEATS * COMMENTS_A_PRESENCE; beat += 1) streams.beat();
  expect(saw).toHaveLength(2 * all.length);
});

test('a user has one subscription while a stream is open, and none after the last is closed', () => {
  const { streams, open, handlers } = world();
  const [one, two] = [open('ada'), open('ada')];
  expect([...handlers.keys()]).toEqual(['ada']);
  one.gone();
  handlers.get('ada')?.('orders', '{"seq":"1"}');
  expect(one.written.join('')).not.toContain('orders');
  expect(two.written.at(-1)).toMatch(/^event: orders\nid: \d+\ndata: {"seq":"1"}\n\n$/);
  two.gone();
  expect([handlers.size, streams.size, streams.users]).toEqual([0, 0, 0]);
});

test('a stream that is not read is closed, and no other', () => {
  const { open, handlers, why } = world();
  const [slow, quick] = [open('ada', true), open('ada')];
  const large = `{"seq":"1","more":"${'x'.repeat(15_000)}"}`;
  for (let n = 0; n * large.length <= STREAM_BACKLOG_BYTES_MAX; n += 1) handlers.get('ada')?.('balance', large);
  expect([slow.destroyed, quick.destroyed, why]).toEqual([true, false, ['slow']]);
});

test('closing all streams spreads their retry times over ten seconds; a closed service closes new ones at once', () => {
  const { streams, open, why } = world();
  const all = Array.from({ length: 400 }, (_, n) => open(`user-${n}`));
  streams.endAll('gap');
  expect(why).toEqual(Array(400).fill('gap'));
  const waits = all.map(({ written }) => Number(/retry: (\d+)\n\n$/.exec(written.at(-1) ?? '')?.[1]));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(500);
  expect(Math.max(...waits)).toBeLessThanOrEqual(10_500);
  // Each tenth of the time gets some.
  expect(new Set(waits.map((ms) => Math.floor((ms - 500) / 1_000))).size).toBeGreaterThanOrEqual(9);
  streams.close();
  expect(open('late')).toMatchObject({ ended: true });
  expect(streams.size).toBe(0);
});

test('a client that leaves before its stream is opened is neither held nor subscribed', () => {
  const { streams, handlers } = world();
  const left = response();
  left.destroyed = true;
  streams.open(left as never, 'ada');
  expect([handlers.size, streams.size, streams.users, left.written]).toEqual([0, 0, 0, []]);
});

test('ids rise on each stream, even for an event that arrives during a message to all', async () => {
  const { streams, open, handlers } = world();
  const all = Array.from({ length: BEATS }, (_, n) => open(`user-${n}`));
  const sending = streams.sendAll('release', '{"seq":"7"}');
  for (const handle of handlers.values()) handle('orders', '{"seq":"1"}');
  await sending;
  for (const { written } of all) {
    const ids = [...written.join('').matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    expect(ids).toHaveLength(2);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  }
});

test('a message to all reaches every stream', async () => {
  const { streams, open } = world();
  const all = Array.from({ length: BEATS + 3 }, (_, n) => open(`user-${n}`));
  await streams.sendAll('release', '{"seq":"7"}');
  for (const each of all) expect(each.written.at(-1)).toContain('event: release\n');
});
