import { setTimeout as sleep } from 'node:timers/promises';
import { RIGHTS_CHANGED, type RightsChanged, rightsRpc } from '@cord/contracts/rpc/rights';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { RIGHTS_PAGE_TIMEOUT_MS, RIGHTS_WHOLE_GAP_MS } from '../bounds.js';
import { createLogger } from '../log.js';
import { connectNats, type Nats } from '../nats.js';
import { randomId, startTestBackend } from '../testing/index.js';
import { forAllTests } from '../testing/lifetimes.js';
import { isPackable, packSessions } from './ended-sessions.js';
import { copyRights, type RightsCopy } from './rights-copy.js';
import { type RightsDesk, serveRights } from './rights-source.js';
import { sessionRevocationKey } from './session-state.js';

const soon = { interval: 10 };
const backend = forAllTests(() => startTestBackend({ store: false, own: true }));
let reader: Nats;
/** What auth's store holds; pages of two entries. */
let stored: Map<string, unknown>;
let pagesRequested = 0;
let onPage: (after: string | null) => Promise<void>;
let desk: RightsDesk;
let copy: RightsCopy;
let seen: Map<string, unknown>;

beforeAll(async () => {
  reader = await connectNats({ NATS_URL: backend.natsUrl }, 'reader', createLogger('reader', 'silent'));
});
afterAll(() => reader.drain());
beforeEach(async () => {
  stored = new Map<string, unknown>([
    ['jti.a', { notBeforeMs: 1 }],
    ['role.b', { roles: ['admin'] }],
    ['user.c', { notBeforeMs: 1 }],
  ]);
  onPage = async () => undefined;
  desk = serve();
  seen = new Map();
  copy = copyRights(reader, (key, value) => void (value === null ? seen.delete(key) : seen.set(key, value)));
  await copy.ready;
});
afterEach(async () => {
  await copy.stop();
  await desk.stop();
});

function serve(): RightsDesk {
  return serveRights(backend.nats, {
    values: async (keys) => keys.map((key) => ({ key, value: stored.get(key) ?? null })),
    async page(after) {
      pagesRequested += 1;
      await onPage(after);
      const keys = [...stored.keys()].sort().filter((key) => after === null || key > after);
      const ended = keys.slice(0, 2).flatMap((key) => (isPackable(key.slice(4)) ? [key.slice(4)] : []));
      const entries = keys.slice(0, 2).filter((key) => !ended.includes(key.slice(4)));
      return {
        entries: entries.map((key) => ({ key, value: stored.get(key) })),
        ended: packSessions(ended),
        next: keys.length > 2 ? (keys[1] ?? null) : null,
      };
    },
  });
}

/** Starts a full read for an unknown replica of auth, up to its second page. @returns a function that lets it continue */
async function wholeHeldAfterItsFirstPage(source: string): Promise<() => void> {
  let goOn: () => void = () => undefined;
  const isHeld = new Promise<void>((resolve) => {
    onPage = (after) =>
      after === null
        ? Promise.resolve()
        : new Promise((go) => {
            goOn = go;
            resolve();
          });
  });
  publish({ source, n: 0, keys: [] });
  await isHeld;
  onPage = async () => undefined;
  return goOn;
}

const publish = (message: Partial<RightsChanged> & Record<string, unknown>) =>
  backend.nats.nc.publish(RIGHTS_CHANGED, JSON.stringify(message));

describe('a copy of rights', () => {
  it('starts complete, and follows announced additions, changes and deletions', async () => {
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(stored));
    expect(copy.isReady()).toBe(true);
    stored.set('jti.d', { notBeforeMs: 4 });
    await desk.publish(['jti.d']);
    await expect.poll(() => seen.get('jti.d'), soon).toEqual({ notBeforeMs: 4 });
    stored.set('user.c', { notBeforeMs: 9 });
    await desk.publish(['user.c']);
    await expect.poll(() => seen.get('user.c'), soon).toEqual({ notBeforeMs: 9 });
    stored.delete('role.b');
    await desk.publish(['role.b']);
    await expect.poll(() => seen.has('role.b'), soon).toBe(false);
  });

  it('finds an unannounced change by the heartbeat of the replica that counted it', async () => {
    publish({ source: 'another replica', n: 4, keys: [] });
    await expect.poll(() => pagesRequested, soon).toBeGreaterThan(0);
    stored.set('jti.unannounced', { notBeforeMs: 4 });
    stored.delete('jti.a');
    publish({ source: 'another replica', n: 5, keys: [] });
    await expect.poll(() => seen.has('jti.unannounced') && !seen.has('jti.a'), soon).toBe(true);
  });

  it('is read completely again after a message from an unknown replica of auth', async () => {
    stored.set('jti.unannounced', { notBeforeMs: 4 });
    publish({ source: 'a new life', n: 0, keys: [] });
    await expect.poll(() => seen.has('jti.unannounced'), soon).toBe(true);
  });

  it('finds an unannounced change of a replica of auth that became silent, while another one runs', async () => {
    const killed = () => publish({ source: 'killed', n: 4, keys: [] });
    await desk.publish(['jti.a']);
    killed();
    // Both are known, and what was read because they were not is through.
    for (let pages = -1; pages !== pagesRequested; ) {
      pages = pagesRequested;
      await sleep(RIGHTS_WHOLE_GAP_MS + 200);
    }
    killed();
    await backend.nats.nc.flush();
    stored.set('jti.unannounced', { notBeforeMs: 4 });
    await expect.poll(() => seen.has('jti.unannounced'), soon).toBe(true);
  });

  it('trusts no message: a forged one only causes a request, and the response counts', async () => {
    const forged = { source: 'forger', n: 1, keys: ['role.mallory', 'jti.a'] };
    publish({
      ...forged,
      entries: [{ key: 'role.mallory', value: { roles: ['admin'] } }],
      value: { roles: ['admin'] },
    });
    backend.nats.nc.publish(RIGHTS_CHANGED, 'no JSON');
    publish({ source: 'forger', n: -1, keys: [] });
    // What is announced after it is requested after it.
    stored.set('jti.after', { notBeforeMs: 4 });
    await desk.publish(['jti.after']);
    await expect.poll(() => seen.has('jti.after'), soon).toBe(true);
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(stored));
  });

  it('requests each response at an unguessable address of its own', async () => {
    const inboxes: string[] = [];
    const listening = backend.nats.nc.subscribe('_INBOX_reader.>', {
      callback: (_err, msg) => void inboxes.push(msg.subject),
    });
    await backend.nats.nc.flush();
    for (const id of ['x', 'y']) await desk.publish([`jti.${id}`]);
    await copy.refresh('key.k');
    await expect.poll(() => inboxes.length, soon).toBeGreaterThan(1);
    listening.unsubscribe();
    for (const inbox of inboxes) expect(inbox).toMatch(/^_INBOX_reader\.[0-9a-f]{32}$/);
    expect(new Set(inboxes).size).toBe(inboxes.length);
  });

  it('keeps a change that is announced during a complete read', async () => {
    const goOn = await wholeHeldAfterItsFirstPage('a new life');
    stored.delete('jti.a');
    stored.set('jti.late', { notBeforeMs: 4 });
    await desk.publish(['jti.a', 'jti.late']);
    goOn();
    await expect.poll(() => Object.fromEntries(seen), soon).toEqual(Object.fromEntries(stored));
  });

  it('contains packed ended sessions and announced ones, and none that is gone', async () => {
    const [first, second, third] = [randomId(), randomId(), randomId()] as const;
    const isEnded = (id: string) => copy.isEnded(id) || seen.has(sessionRevocationKey(id));
    for (const id of [first, second]) stored.set(sessionRevocationKey(id), { notBeforeMs: 4 });
    publish({ source: 'a life that packs', n: 0, keys: [] });
    await expect.poll(() => [first, second, third].map(copy.isEnded), soon).toEqual([true, true, false]);
    // These are not announced, because they are no changes.
    expect([...seen.keys()].sort()).toEqual(['jti.a', 'role.b', 'user.c']);
    stored.set(sessionRevocationKey(third), { notBeforeMs: 4 });
    stored.delete(sessionRevocationKey(first));
    await desk.publish([first, third].map(sessionRevocationKey));
    await expect.poll(() => [first, second, third].map(isEnded), soon).toEqual([false, true, true]);
    // What was announced by itself has come packed with the next whole, and what is there no more has not.
    stored.delete(sessionRevocationKey(second));
    publish({ source: 'one more that packs', n: 0, keys: [] });
    await expect.poll(() => copy.isEnded(third), soon).toBe(true);
    expect([first, second, third].map(isEnded)).toEqual([false, false, true]);
    expect(seen.has(sessionRevocationKey(third))).toBe(false);
  });

  it('drops an ended session that is announced as gone during a complete read', async () => {
    const [early, late] = ['0'.repeat(31), 'f'.repeat(31)].map((start) => `${start}1`) as [string, string];
    for (const id of [early, late]) stored.set(sessionRevocationKey(id), { notBeforeMs: 4 });
    const goOn = await wholeHeldAfterItsFirstPage('a life with packed ones');
    stored.delete(sessionRevocationKey(early));
    await desk.publish([sessionRevocationKey(early)]);
    goOn();
    await expect.poll(() => copy.isEnded(late), soon).toBe(true);
    expect(copy.isEnded(early)).toBe(false);
  });

  it('requests a failed page again without starting over', async () => {
    const requested: (string | null)[] = [];
    onPage = async (after) => {
      requested.push(after);
      if (after !== null && requested.filter((one) => one === after).length === 1) throw new Error('busy');
    };
    publish({ source: 'one more life', n: 0, keys: [] });
    await expect.poll(() => requested, soon).toEqual([null, 'role.b', 'role.b']);
  });

  it('shares a page among concurrent readers, but none that began before their request', async () => {
    let go: () => void = () => undefined;
    let requested = 0;
    onPage = (after) => {
      requested += 1;
      return after === null && requested === 1 ? new Promise((resolve) => (go = resolve)) : Promise.resolve();
    };
    const first = copyRights(reader, () => undefined);
    await expect.poll(() => requested, soon).toBe(1);
    const copies = [first, ...Array.from({ length: 4 }, () => copyRights(reader, () => undefined))];
    // Each has requested once NATS has passed a message that was published after them.
    await reader.nc.flush();
    await backend.nats.nc.flush();
    go();
    await Promise.all(copies.map((one) => one.ready));
    for (const one of copies) await one.stop();
    // Two of the first page, and of the second one for those who came by each of them, or one for all.
    expect([3, 4]).toContain(requested);
  });

  it('requests signing keys regularly, so that a removed one ends without an announcement', async () => {
    stored.set('key.leaked', { kid: 'leaked' });
    const held = new Set<string>();
    const own = copyRights(reader, (key, value) => void (value === null ? held.delete(key) : held.add(key)), {
      keysEveryMs: 20,
    });
    await own.ready;
    // For a replica that is new the whole is requested once more; after that only messages name what to request.
    const before = pagesRequested;
    await desk.publish(['jti.a']);
    await expect.poll(() => pagesRequested, soon).toBeGreaterThan(before);
    await own.settled();
    expect(held.has('key.leaked')).toBe(true);
    stored.delete('key.leaked');
    await expect.poll(() => held.has('key.leaked'), soon).toBe(false);
    await own.stop();
  });

  it('is fresh while messages of auth arrive, stale without them, and fresh again', async () => {
    const inAMinute = (look: () => number): number => {
      const time = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
      const found = look();
      time.mockRestore();
      return found;
    };
    expect(copy.staleMs()).toBeLessThan(30_000);
    await desk.stop();
    expect(inAMinute(copy.staleMs)).toBeGreaterThan(30_000);
    const againAtMs = performance.now();
    desk = serve();
    await expect.poll(() => performance.now() - copy.staleMs() > againAtMs, soon).toBe(true);
  });

  it('is stale while there are more entries than memory may hold', async () => {
    for (let n = 0; n < 4; n += 1) stored.set(sessionRevocationKey(randomId()), { notBeforeMs: 1 });
    const copyOf = async (heldMax: number) => {
      const bounded = copyRights(reader, () => undefined, { heldMax });
      await bounded.ready;
      const staleMs = bounded.staleMs();
      await bounded.stop();
      return staleMs;
    };
    expect(await copyOf(4)).toBeLessThan(Number.POSITIVE_INFINITY);
    expect(await copyOf(3)).toBe(Number.POSITIVE_INFINITY);
    expect(await copyOf(0)).toBe(Number.POSITIVE_INFINITY);
  });

  it('requests a single key, and gives up without a response', async () => {
    stored.set('key.k', { kid: 'k' });
    await copy.refresh('key.k');
    expect(seen.get('key.k')).toEqual({ kid: 'k' });
    await desk.stop();
    await copy.refresh('key.none');
    expect(seen.has('key.none')).toBe(false);
    desk = serve();
  });

  it('is ready when auth starts after it', async () => {
    await desk.stop();
    await copy.stop();
    copy = copyRights(reader, (key, value) => void seen.set(key, value));
    await copy.tried;
    expect(copy.isReady()).toBe(false);
    expect(copy.staleMs()).toBe(Number.POSITIVE_INFINITY);
    desk = serve();
    await copy.ready;
    expect(copy.isReady()).toBe(true);
  });

  it('does not wait for a page while no replica of auth runs, as the first one would wait for itself', async () => {
    await desk.stop();
    await copy.stop();
    // As between accounts: a request without an answer, and without an error.
    const unanswered = backend.nats.nc.subscribe(rightsRpc.subject);
    await backend.nats.nc.flush();
    copy = copyRights(reader, (key, value) => void seen.set(key, value));
    const late = sleep(RIGHTS_PAGE_TIMEOUT_MS, 'late', { ref: false });
    expect(await Promise.race([copy.tried, late])).toBeUndefined();
    unanswered.unsubscribe();
    desk = serve();
    await copy.ready;
  });

  it('is read completely after a restart of NATS that lost announcements', async () => {
    await backend.natsServer?.kill();
    stored.set('jti.meanwhile', { notBeforeMs: 4 });
    await expect(desk.publish(['jti.meanwhile'])).rejects.toThrow();
    await backend.natsServer?.restart();
    await expect.poll(() => seen.has('jti.meanwhile'), soon).toBe(true);
  });
});
