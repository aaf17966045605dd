import { userErased } from '@cord/contracts/events/user';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { PUSHING } from '../pace.js';
import { DAY, epoch, HOUR } from '../test/inbox-world.js';
import { openPushWorld } from '../test/push-world.js';

const world = forAllTests(() => openPushWorld());
beforeAll(() => {
  world.others.choices = { epoch: 'push' };
});
afterEach(async () => {
  vi.restoreAllMocks();
  Object.assign(world.others, { joinedAtMs: 0, running: null });
  world.others.settings = { notifications: true, quietHours: null, locale: null };
  await world.connection.collection('subscriptions').deleteMany({});
});

/* On one clock, one after the other: each test has epochs of its own. */
let version = 0;
const table = (...epochs: ReturnType<typeof epoch>[]) => world.receive.epochs(++version, epochs);
const titles = ({ got }: { got: { data: Record<string, unknown> }[] }) => got.map(({ data }) => data.title);
const timeIn = (ms: number) =>
  new Date(ms).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Europe/Berlin' });

test('an epoch is pushed a day before it starts, with the new rate, and again when it has started', async () => {
  const { userId, browser } = await world.someone();
  const startAt = world.clock.now() + DAY + HOUR;
  const now = { ...epoch('Beta', startAt - 15 * DAY, 110), endAt: startAt };
  world.others.running = { rateNano: 1_925_000_000n, atMs: world.clock.now() };
  await table(now, epoch('Gamma', startAt));
  await world.sweep();
  expect(browser.got).toEqual([]);
  await world.clock.advance(HOUR);
  for (let times = 0; times < 2; times += 1) await world.sweep();
  expect(browser.got.map(({ data }) => data)).toEqual([
    {
      title: `Epoch Gamma starts at ${timeIn(startAt)}`,
      text: 'Mining pays ×1.2 for 15 days. Your rate becomes 2.100000 CORD/min.',
      tab: 'node',
      about: 'epoch.gamma',
      atMs: startAt - DAY,
    },
  ]);
  // It is not kept for a device until it would be wrong.
  expect(browser.got[0]?.headers).toMatchObject({ ttl: '86400' });
  expect(world.announced).toContain('notices all');
  expect(await world.reading.read(userId, world.clock.now())).toBe(0);
  await world.clock.advance(DAY);
  for (let times = 0; times < 2; times += 1) await world.sweep();
  expect(titles(browser).slice(1)).toEqual(['Epoch Gamma has started']);
  expect(browser.got[1]?.data.about).toBe('epoch.gamma');
});

test('after a jump of the clock only the last state is pushed, and nothing about an epoch that is over', async () => {
  const { browser } = await world.someone();
  const startAt = world.clock.now() + 2 * DAY;
  const delta = { ...epoch('Delta', startAt), endAt: startAt + HOUR };
  await table(delta, epoch('Epsilon', startAt + HOUR));
  await world.clock.advance(2 * DAY + 2 * HOUR);
  for (let times = 0; times < 2; times += 1) await world.sweep();
  expect(titles(browser)).toEqual(['Epoch Epsilon has started']);
  await table(epoch('Zeta', world.clock.now() + DAY));
  await world.clock.advance(2 * DAY);
  await world.sweep();
  expect(titles(browser)).toEqual(['Epoch Epsilon has started']);
});

test('every user who chose it gets one push, however many they are and after a crash at any batch', async () => {
  const all = await Promise.all(Array.from({ length: 2 * PUSHING.batch + 3 }, () => world.someone()));
  const [second] = await Promise.all([world.another(all[0]?.userId ?? ''), world.another(all[1]?.userId ?? '')]);
  const app = await world.someone();
  world.others.choicesOf.set(app.userId, { epoch: 'app' });
  await table(epoch('Eta', world.clock.now() + HOUR));
  // Killed in the second batch, with some of it noted; later between a batch and the mark that it is done.
  const { insert } = world.notices;
  let made = 0;
  const broken = vi.spyOn(world.notices, 'insert').mockImplementation((notice) => {
    made += 1;
    return made === PUSHING.batch + 7 ? Promise.reject(new Error('killed')) : insert(notice);
  });
  await expect(world.sweep()).rejects.toThrow('killed');
  broken.mockRestore();
  // Another replica pushes meanwhile.
  await world.pushNotices();
  const kept = vi.spyOn(world.walks, 'advance').mockRejectedValueOnce(new Error('killed'));
  await expect(world.sweep()).rejects.toThrow('killed');
  kept.mockRestore();
  await world.pushNotices();
  for (let times = 0; times < 3; times += 1) await world.sweep();
  expect(all.filter(({ browser }) => browser.got.length !== 1)).toEqual([]);
  expect([second.got.length, app.browser.got.length]).toEqual([1, 0]);
  expect(await world.notices.duePushes(world.clock.now(), 9, () => true)).toEqual([]);
  // They stand in the list once, by the table of epochs.
  const { notices: listed } = await world.reading.page(all[0]?.userId ?? '', { limit: 100 });
  expect(listed.filter(({ title }) => title.includes('Eta'))).toHaveLength(1);
});

test('a failed push is retried with the current text, only for the device that missed it', async () => {
  const { userId, browser } = await world.someone();
  const busy = await world.another(userId);
  busy.answer = { status: 503 };
  await table(epoch('Theta', world.clock.now() + 20_000));
  await world.sweep();
  busy.answer = { status: 201 };
  await world.clock.advance(30_000);
  for (let times = 0; times < 2; times += 1) await world.sweep();
  expect(titles(busy)).toEqual(['Epoch Theta has started']);
  expect(titles(browser).at(-1)).toBe('Epoch Theta has started');
  expect(browser.got).toHaveLength(2);
});

test('nothing is pushed in quiet hours, after reading, to users who joined later or were erased', async () => {
  const someone = () => world.someone();
  const [quiet, read, late, gone] = [await someone(), await someone(), await someone(), await someone()];
  const until = async (who: { userId: string }, seen: () => Promise<unknown>) => {
    await world.connection.collection('subscriptions').updateMany({}, { $set: { zone: 'UTC' } });
    const { userId } = who;
    world.others.choicesOf.clear();
    for (const each of [quiet, read, late, gone])
      if (each.userId !== userId) world.others.choicesOf.set(each.userId, { epoch: 'app' });
    await seen();
    for (let times = 0; times < 2; times += 1) await world.sweep();
  };
  const soon = (name: string) => table(epoch(name, world.clock.now() + HOUR));
  await until(quiet, async () => {
    const hour = new Date(world.clock.now()).toISOString().slice(11, 13);
    world.others.settings.quietHours = { from: `${hour}:00`, to: `${hour}:59`, zone: 'UTC' };
    await soon('Iota');
  });
  world.others.settings.quietHours = null;
  await until(read, async () => {
    await soon('Kappa');
    await world.reading.read(read.userId, world.clock.now());
  });
  await until(late, async () => {
    world.others.joinedAtMs = world.clock.now();
    await soon('Lambda');
  });
  world.others.joinedAtMs = 0;
  await until(gone, async () => {
    await soon('Mu');
    await world.hand(gone.userId, { kind: userErased, seq: 9, state: {} });
    await world.another(gone.userId);
  });
  expect([quiet, read, late, gone].flatMap(({ browser }) => titles(browser))).toEqual([]);
});

test('an epoch that is moved after its push is pushed again with the new time, even if it is moved back', async () => {
  const { browser } = await world.someone();
  const startAt = world.clock.now() + 2 * HOUR;
  await table(epoch('Nu', startAt));
  await world.sweep();
  await table(epoch('Nu', startAt + 5 * HOUR));
  for (let times = 0; times < 2; times += 1) await world.sweep();
  expect(titles(browser)).toEqual([
    `Epoch Nu starts at ${timeIn(startAt)}`,
    `Epoch Nu starts at ${timeIn(startAt + 5 * HOUR)}`,
  ]);
  expect(browser.got.map(({ data }) => data.about)).toEqual(['epoch.nu', 'epoch.nu']);
  await table(epoch('Nu', startAt));
  for (let times = 0; times < 2; times += 1) await world.sweep();
  expect(titles(browser)[2]).toBe(`Epoch Nu starts at ${timeIn(startAt)}`);
});

test('an epoch that is moved after it was read is unread and pushed again', async () => {
  const { userId, browser } = await world.someone();
  const unread = async () => (await world.reading.page(userId, { limit: 5 })).unread;
  const startAt = world.clock.now() + HOUR;
  await table(epoch('Xi', startAt));
  expect(await unread()).toBe(1);
  expect(await world.reading.read(userId, world.clock.now())).toBe(0);
  await table(epoch('Xi', startAt + HOUR));
  expect(await unread()).toBe(1);
  await world.sweep();
  expect(titles(browser)).toEqual([`Epoch Xi starts at ${timeIn(startAt + HOUR)}`]);
  expect(await world.reading.read(userId, world.clock.now())).toBe(0);
  await table(epoch('Xi', startAt + 3 * DAY));
  expect(await unread()).toBe(0);
  await world.clock.advance(2 * DAY + HOUR);
  expect(await unread()).toBe(1);
});
