import { createHash } from 'node:crypto';
import { restingAccount } from '@cord/kit/testing/account-state';
import { crowdSize } from '@cord/kit/testing/crowd-size';
import { expect, test } from 'vitest';
import { createLinks, LINK_BOUNDS, type LinkBounds } from './links.js';
import { newMember } from './member.js';
import { type Disk, newDisk, type Step, storeOn } from './test/world.js';

const NOW_MS = Date.UTC(2026, 10, 18, 12);
/** Longer than the maximum age of a declaration, ms. */
const LONG_MS = 61_000;
const BOUNDS: LinkBounds = { ...LINK_BOUNDS, triesMax: 2, waitMs: 0, waitMsMax: 0 };

/** One request: the user and the owner of the code. */
type Request = readonly [userId: string, referrerId: string];
const EACH_OTHER: [Request, Request] = [
  ['a', 'x'],
  ['x', 'a'],
];
const RING: Request[] = [
  ['a', 'b'],
  ['b', 'c'],
  ['c', 'a'],
];

/** Processes that take turns step by step; a plan gives for each step the number of the process that continues. */
function createTurns() {
  const waiting = new Map<number, () => void>();
  const ended = new Set<number>();
  let changed: () => void = () => undefined;
  return {
    ended,
    stepOf: (process: number) => () =>
      new Promise<void>((resolve) => {
        waiting.set(process, resolve);
        changed();
      }),
    end(process: number) {
      ended.add(process);
      changed();
    },
    /** Resolves when every process waits for its turn or has ended. @returns the numbers of the waiting ones */
    async atRest(processes: number): Promise<number[]> {
      while (waiting.size + ended.size < processes) await new Promise<void>((resolve) => (changed = resolve));
      return [...waiting.keys()].sort();
    },
    go(process: number) {
      const resume = waiting.get(process);
      waiting.delete(process);
      resume?.();
    },
  };
}

/** Returns a user who is above themselves; null when the chain ends. */
function ringIn({ members }: Disk): string | null {
  for (const { _id } of members.values()) {
    const seen = new Set<string>();
    for (let at: string | undefined = _id; at !== undefined; at = members.get(at)?.referredBy?.userId) {
      if (seen.has(at)) return at;
      seen.add(at);
    }
  }
  return null;
}

interface Outcome {
  disk: Disk;
  /** For each step: the processes that could continue, the one that did, and all state that matters from there on. */
  steps: { able: number[]; taken: number; state: string }[];
}

/** Starts the requests, each as a process that waits for its turns. */
function begin(requests: readonly Request[], timePasses: boolean) {
  const disk = newDisk();
  for (const userId of new Set(requests.flat())) {
    const profile = { username: userId, avatar: null, returning: false, welcomeMicro: 0n };
    disk.members.set(userId, { ...newMember(userId), code: codeOf(userId), profile });
  }
  const turns = createTurns();
  let nowMs = NOW_MS;
  // A process is identified by its steps and the store at each of them.
  const met = new Map<number, string>();
  const stored = () => hash([...disk.members.values()].map(textOf).join());
  requests.forEach(([userId, referrerId], process) => {
    const turn = turns.stepOf(process);
    const step = async (what: string) => {
      await turn();
      met.set(process, hash(`${met.get(process)} ${what} ${stored()} ${nowMs}`));
    };
    void linksOf(disk, step, () => nowMs)
      .process(userId, codeOf(referrerId))
      .catch((err: { status?: number }) => expect([409, 422, 503]).toContain(err.status))
      .finally(() => turns.end(process));
  });
  const clock = requests.length;
  if (timePasses) {
    void turns
      .stepOf(clock)()
      .then(() => {
        nowMs += LONG_MS;
        turns.end(clock);
      });
  }
  return {
    disk,
    go: turns.go,
    able: () => turns.atRest(requests.length + (timePasses ? 1 : 0)),
    state: () => `${stored()} ${nowMs} ${requests.map((_request, process) => met.get(process)).join(' ')}`,
  };
}

/** Runs the requests concurrently. @param plan the process of each step; after it the last one continues, else the first */
async function run(requests: readonly Request[], plan: readonly number[], timePasses: boolean): Promise<Outcome> {
  const begun = begin(requests, timePasses);
  const steps: Outcome['steps'] = [];
  for (;;) {
    const able = await begun.able();
    if (able.length === 0) return { disk: begun.disk, steps };
    const last = steps.at(-1)?.taken;
    const taken = plan[steps.length] ?? (last !== undefined && able.includes(last) ? last : (able[0] as number));
    steps.push({ able, taken, state: begun.state() });
    begun.go(taken);
  }
}

function linksOf(disk: Disk, step: Step, now: () => number) {
  return createLinks({
    store: storeOn(disk, step),
    books: { enter: async () => undefined } as never,
    nats: { request: async () => ({ ...restingAccount({}), userId: '', seq: '1', factors: {} }) } as never,
    clock: { now } as never,
    outbox: { relayNow: async () => undefined, settle: async () => null },
    requestRegistration: async () => undefined,
    bounds: BOUNDS,
  });
}

/** Stored documents are replaced, never changed, so their text is cached. */
const texts = new WeakMap<object, string>();
function textOf(document: object): string {
  const known = texts.get(document);
  if (known !== undefined) return known;
  const text = JSON.stringify(document, (_key, value) => (typeof value === 'bigint' ? `${value}` : value));
  texts.set(document, text);
  return text;
}
const hash = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);
const codeOf = (userId: string) => userId.toUpperCase().padEnd(8, '0');

/**
 * Runs every order of steps with at most this many interruptions, fewest first; from each state every process that
 * can continues once. @returns the number of runs
 */
async function everyOrder(requests: readonly Request[], interruptions: number, timePasses: boolean): Promise<number> {
  const seen = new Set<string>();
  let runs = 0;
  let plans: number[][] = [[]];
  for (let round = 0; round <= interruptions; round += 1) {
    const next: number[][] = [];
    for (let plan = plans.pop(); plan !== undefined; plan = plans.pop()) {
      const { disk, steps } = await run(requests, plan, timePasses);
      runs += 1;
      expect([ringIn(disk), plan]).toEqual([null, plan]);
      const taken = steps.map((step) => step.taken);
      for (const [index, step] of steps.entries()) {
        if (index < plan.length) continue;
        const last = taken[index - 1];
        for (const other of step.able) {
          const choice = `${step.state} ${other}`;
          if (seen.has(choice)) continue;
          seen.add(choice);
          if (other === step.taken) continue;
          // When the last process is done, continuing with another one is no interruption.
          const interrupts = last !== undefined && step.able.includes(last);
          (interrupts ? next : plans).push([...taken.slice(0, index), other]);
        }
      }
    }
    plans = next;
  }
  return runs;
}

const CASES: [string, Request[], number, boolean][] = [
  ['two who enter each other’s codes', [EACH_OTHER[0], EACH_OTHER[1]], 3, false],
  ['two, one of whom pauses until declarations are not believed any more', [EACH_OTHER[0], EACH_OTHER[1]], 2, true],
  ['three in a ring', RING, 2, false],
  ['two, one of whom sent the request twice', [EACH_OTHER[0], EACH_OTHER[0], EACH_OTHER[1]], 2, false],
];

// The last two cases have the most orders.
test.each(CASES.slice(0, crowdSize(2, CASES.length)))(
  'requests create no cycle in any order of steps: %s',
  async (_name, requests, interruptions, timePasses) => {
    expect(await everyOrder(requests, interruptions, timePasses)).toBeGreaterThan(100);
  },
  600_000,
);

test('a request whose declaration was withdrawn and made again by another request does not commit', async () => {
  const [first, second, other] = [0, 1, 2];
  const { disk, able, go } = begin([EACH_OTHER[0], EACH_OTHER[0], EACH_OTHER[1]], false);
  const linkingOf = (userId: string) => disk.members.get(userId)?.linking ?? null;
  const goes = async (process: number, until: () => boolean) => {
    while (!until() && (await able()).includes(process)) go(process);
    await able();
  };
  const steps = (count: number) => () => count-- === 0;
  await goes(first, () => linkingOf('a') !== null);
  // It has searched and found nothing.
  await goes(first, steps(1));
  await goes(other, () => linkingOf('x') !== null);
  const { token } = linkingOf('a') ?? {};
  await goes(second, () => linkingOf('a')?.token !== token);
  await goes(second, () => linkingOf('a') === null);
  await goes(other, () => disk.members.get('x')?.referredBy !== null);
  await goes(second, () => linkingOf('a') !== null);
  for (const process of [first, second, other]) await goes(process, () => false);
  expect([disk.members.get('x')?.referredBy?.userId, disk.members.get('a')?.referredBy]).toEqual(['a', null]);
});

test('a ring of declarations above a referrer does not block a link', async () => {
  const disk = newDisk();
  const person = (userId: string, to: string | null) => {
    const profile = { username: userId, avatar: null, returning: false, welcomeMicro: 0n };
    const linking = to === null ? null : { to, atMs: NOW_MS, token: 1n };
    disk.members.set(userId, { ...newMember(userId), code: codeOf(userId), profile, linking });
  };
  person('a', null);
  person('b', 'c');
  person('c', 'd');
  person('d', 'c');
  let reads = 0;
  const links = linksOf(
    disk,
    async () => {
      reads += 1;
    },
    () => NOW_MS,
  );
  await links.process('a', codeOf('b'));
  expect(disk.members.get('a')?.referredBy?.userId).toBe('b');
  expect(reads).toBeLessThan(20);
});
