import { beforeEach, expect, test, vi } from 'vitest';
import { createLead, type Lead } from './lead';
import { createFakeChannel, createFakeLocks } from './testing';

const USER = 'a'.repeat(32);
let locks: ReturnType<typeof createFakeLocks>;
let channel: ReturnType<typeof createFakeChannel>;

beforeEach(() => {
  vi.useFakeTimers();
  locks = createFakeLocks();
  channel = createFakeChannel();
});

interface Tab {
  lead: Lead;
  see(seen: boolean): void;
  /** Its callbacks, in order. */
  log: string[];
}

function openTab(name: string, seen: boolean, userId = USER): Tab {
  let isSeen = seen;
  const log: string[] = [];
  const lead = createLead({
    userId,
    locks: locks.of(name),
    broadcast: channel.of(name),
    isSeen: () => isSeen,
    stream: () => ({ open: true, holds: true }),
    onLead: (covered) => log.push(covered ? 'leads, covered' : 'leads'),
    onLose: () => log.push('loses'),
    onMessage: () => undefined,
  });
  const see = (now: boolean) => {
    isSeen = now;
    lead.seenChanged();
  };
  return { lead, see, log };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const leaders = (...tabs: Tab[]) => tabs.filter(({ lead }) => lead.leads());

test('a single tab leads, without a message from others', async () => {
  const only = openTab('a', true);
  await pass(0);
  expect(only.lead.leads()).toBe(true);
  await pass(5_000);
  expect(only.log).toEqual(['leads']);
});

test('of two visible tabs the first keeps the lead', async () => {
  const first = openTab('a', true);
  await pass(0);
  const second = openTab('b', true);
  await pass(5_000);
  expect(leaders(first, second)).toEqual([first]);
  expect(first.log).toEqual(['leads']);
});

test('a tab that becomes visible takes the lead from a hidden one at once, covered by the old stream', async () => {
  const back = openTab('a', false);
  await pass(0);
  const front = openTab('b', false);
  await pass(1_000);
  expect(leaders(back, front)).toEqual([back]);
  front.see(true);
  await pass(0);
  expect(leaders(back, front)).toEqual([front]);
  expect(front.log).toEqual(['leads, covered']);
  expect(back.log).toEqual(['leads', 'loses']);
});

test('a leader that announces twice that it is hidden is replaced once', async () => {
  const back = openTab('a', false);
  await pass(0);
  const front = openTab('b', false);
  front.see(true);
  back.lead.announce();
  back.lead.announce();
  await pass(0);
  expect(front.log).toEqual(['leads, covered']);
  expect(leaders(back, front)).toEqual([front]);
});

test('a tab steals the lock once, even if the hidden leader announces itself again before it is granted', async () => {
  const requests: LockOptions[] = [];
  const pending = (_name: string, options: LockOptions) =>
    new Promise((_, reject) => {
      requests.push(options);
      options.signal?.addEventListener('abort', () => reject(options.signal?.reason));
    });
  createLead({
    userId: USER,
    locks: { request: pending as LockManager['request'] },
    broadcast: channel.of('a'),
    isSeen: () => true,
    stream: () => ({ open: true, holds: true }),
    onLead: () => undefined,
    onLose: () => undefined,
    onMessage: () => undefined,
  });
  const hidden = channel.of('b');
  for (let times = 0; times < 2; times += 1) {
    hidden.send({ kind: 'leads', userId: USER, tab: 'b', seen: false, open: true, holds: true });
    await pass(0);
  }
  expect(requests.filter(({ steal }) => steal)).toHaveLength(1);
});

test('a leader that becomes hidden gives the lead to a visible tab', async () => {
  const first = openTab('a', true);
  await pass(0);
  const second = openTab('b', true);
  await pass(1_000);
  first.see(false);
  await pass(0);
  expect(leaders(first, second)).toEqual([second]);
  first.see(true);
  await pass(2_000);
  expect(leaders(first, second)).toEqual([second]);
});

test('when the last visible tab becomes hidden, the lead stays', async () => {
  const first = openTab('a', true);
  await pass(0);
  const second = openTab('b', false);
  await pass(0);
  first.see(false);
  await pass(60_000);
  expect(leaders(first, second)).toEqual([first]);
});

test('a closed leader is replaced at once by the visible tab, even if a hidden one has waited longer', async () => {
  const first = openTab('a', true);
  await pass(0);
  const hidden = openTab('b', false);
  const seen = openTab('c', true);
  await pass(1_000);
  locks.vanish('a');
  channel.freeze('a');
  await pass(0);
  expect(leaders(hidden, seen)).toEqual([seen]);
  expect(first.log).toEqual(['leads']);
});

test('a leader that does not respond is replaced 500 ms after a tab becomes visible', async () => {
  const frozen = openTab('a', false);
  await pass(0);
  channel.freeze('a');
  const other = openTab('b', false);
  await pass(10_000);
  other.see(true);
  await pass(499);
  expect(leaders(other)).toEqual([]);
  await pass(1);
  expect(leaders(other)).toEqual([other]);
  expect(other.log).toEqual(['leads']);
  expect(frozen.log).toEqual(['leads', 'loses']);
});

test('a tab that is hidden again before the timeout does not take the lead', async () => {
  openTab('a', false);
  await pass(0);
  channel.freeze('a');
  const other = openTab('b', false);
  other.see(true);
  await pass(200);
  other.see(false);
  await pass(5_000);
  expect(other.log).toEqual([]);
});

test('a tab that leaves while it takes the lead holds no lock', async () => {
  const back = openTab('a', false);
  await pass(0);
  const front = openTab('b', false);
  front.see(true);
  // The leader has responded: the lock is requested, but not held yet.
  for (let turn = 0; turn < 2; turn += 1) await null;
  front.lead.leave();
  await pass(1_000);
  expect(leaders(back, front)).toEqual([back]);
  expect(front.log).toEqual([]);
});

test('a tab that lost the lead waits for it again', async () => {
  const back = openTab('a', false);
  await pass(0);
  const front = openTab('b', true);
  await pass(0);
  expect(leaders(back, front)).toEqual([front]);
  front.lead.leave();
  await pass(0);
  expect(leaders(back, front)).toEqual([back]);
});

test('there is always exactly one leader, and it is visible if any tab is', async () => {
  const tabs = ['a', 'b', 'c', 'd'].map((name) => ({ seen: false, tab: openTab(name, false) }));
  await pass(0);
  let dice = 7;
  for (let step = 0; step < 300; step += 1) {
    dice = (dice * 48_271) % 2_147_483_647;
    const chosen = tabs[dice % tabs.length];
    if (chosen === undefined) continue;
    chosen.seen = !chosen.seen;
    chosen.tab.see(chosen.seen);
    await pass(dice % 3 === 0 ? 1_000 : dice % 40);
    if (dice % 3 !== 0) continue;
    const leading = tabs.filter(({ tab }) => tab.lead.leads());
    expect(leading).toHaveLength(1);
    if (tabs.some(({ seen }) => seen)) expect(leading[0]?.seen).toBe(true);
  }
});

test('tabs of different users lead independently', async () => {
  const one = openTab('a', false);
  await pass(0);
  const messages = channel.sent.length;
  const other = createFakeLocks();
  locks = other;
  const another = openTab('b', true, 'b'.repeat(32));
  await pass(1_000);
  expect(one.log).toEqual(['leads']);
  expect(another.log).toEqual(['leads']);
  expect(channel.sent.slice(messages).every(({ userId }) => userId !== USER)).toBe(true);
});

test('a visible tab that lost the lead takes it back from one that is hidden by then', async () => {
  const busy = openTab('a', true);
  await pass(0);
  channel.freeze('a');
  const other = openTab('b', true);
  await pass(500);
  expect(leaders(busy, other)).toEqual([other]);
  other.see(false);
  await pass(500);
  expect(leaders(busy, other)).toEqual([busy]);
});

test('a tab that has left follows no leader', async () => {
  const onMessage = vi.fn();
  const lead = createLead({
    ...{ userId: USER, locks: locks.of('a'), broadcast: channel.of('a'), onMessage, isSeen: () => false },
    ...{ stream: () => ({ open: true, holds: true }), onLead: () => undefined, onLose: () => undefined },
  });
  const other = openTab('b', false);
  lead.leave();
  await pass(0);
  expect(leaders(other)).toEqual([other]);
  expect(onMessage).not.toHaveBeenCalled();
});
