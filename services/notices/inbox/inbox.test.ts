import { supportAnswered } from '@cord/contracts/events/support';
import { sessionOpened, userErased } from '@cord/contracts/events/user';
import { NOTICES_KEPT_MAX } from '@cord/contracts/rules/notices';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { checkIn, DAY, EVENING, epoch, HOUR, openInboxWorld, paused } from '../test/inbox-world.js';

const world = forAllTests(() => openInboxWorld());
beforeEach(() => {
  Object.assign(world.others, { choices: {}, joinedAtMs: 0, running: null });
});

const page = (userId: string, given: { limit?: number; cursor?: string; zone?: string } = {}) =>
  world.reading.page(userId, { limit: 50, ...given });

describe('a notice', () => {
  test('is created once for a duplicate event, with its text in the reader’s time zone', async () => {
    const userId = randomId();
    const state = paused(Date.UTC(2026, 10, 27, 14, 20));
    await world.receive.paused(userId, state);
    await world.receive.paused(userId, state, 9);
    expect(world.announced.filter((line) => line === `notices ${userId}`)).toHaveLength(1);
    const { notices, unread } = await page(userId);
    expect(unread).toBe(1);
    expect(notices).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        kind: 'node-paused',
        at: '2026-11-27T14:20:00.000Z',
        title: 'Your node paused at 14:20 UTC',
        text: 'You were away for 8 hours. Everything earned until then has been credited.',
        tab: 'node',
        readAt: null,
      },
    ]);
    const [inTokyo, nowhere] = [await page(userId, { zone: 'Asia/Tokyo' }), await page(userId, { zone: 'Moon/Sea' })];
    expect(inTokyo.notices[0]?.title).toBe('Your node paused at 23:20');
    expect(nowhere.notices[0]?.title).toBe('Your node paused at 14:20 UTC');
  });

  test('is not created if too old or switched off; an unknown choice of a newer release counts as app', async () => {
    const userId = randomId();
    await world.receive.paused(userId, paused(EVENING - 30 * DAY));
    world.others.choices = { 'node-paused': 'off', 'friend-joined': 'by-pigeon' };
    await world.receive.paused(userId, paused(EVENING - DAY));
    await world.receive.joined(userId, randomId(), EVENING - DAY);
    expect(await world.titles(userId)).toEqual(['A friend joined with your code']);
  });

  test('is not created for sign-ins that arrive together while off, even if the first clock was ahead', async () => {
    const userId = randomId();
    const signIn = (device: string, openedAt: number) => ({ sessionId: randomId(), device, openedAt });
    const opened = [signIn('Firefox on Linux', EVENING - 1_000), signIn('Safari on macOS', EVENING - 4_000)];
    world.others.choices = { security: 'off' };
    await world.hand(userId, { kind: sessionOpened, seq: 2, state: { opened } });
    world.others.choices = {};
    const after = signIn('Chrome on Android', EVENING);
    await world.hand(userId, { kind: sessionOpened, seq: 3, state: { opened: [...opened, after] } });
    expect(await world.titles(userId)).toEqual(['New sign-in: Chrome on Android']);
  });

  test('is not created for a sign-in while off, even if a later event contains it again', async () => {
    const userId = randomId();
    const signIn = (device: string, openedAt: number) => ({ sessionId: randomId(), device, openedAt });
    const [before, off, late, after] = [
      signIn('Firefox on Linux', EVENING - 4),
      signIn('Safari on macOS', EVENING - 3),
      signIn('Edge on Windows', EVENING - 2),
      signIn('Chrome on Android', EVENING - 1),
    ];
    const receive = (seq: number, ...opened: object[]) =>
      world.hand(userId, { kind: sessionOpened, seq, state: { opened } });
    await receive(1, before);
    world.others.choices = { security: 'off' };
    await receive(2, before, off);
    await receive(3, before, off, late);
    world.others.choices = {};
    await receive(3, before, off, late);
    expect(await world.titles(userId)).toEqual(['New sign-in: Firefox on Linux']);
    await receive(4, off, late, after);
    // One that a replica had kept waiting.
    await receive(2, before, off);
    expect(await world.titles(userId)).toEqual(['New sign-in: Chrome on Android', 'New sign-in: Firefox on Linux']);
    await world.hand(userId, { kind: userErased, seq: 9, state: {} });
    world.others.choices = { security: 'off' };
    await receive(5, signIn('Firefox on Linux', EVENING));
    expect(await world.people.docs.get(userId)).not.toHaveProperty('securityOffAtMs');
  });

  test('names the friend as auth does, and is not created for a user who returned after an erasure', async () => {
    const [userId, friend] = [randomId(), randomId()];
    world.others.names.set(friend, 'kofi_b');
    await world.receive.joined(userId, friend, EVENING);
    await world.receive.joined(userId, randomId(), EVENING, false);
    expect((await page(userId)).notices).toMatchObject([
      {
        title: 'kofi_b joined with your code',
        text: 'You receive 86 CORD once their node has run for 10 minutes.',
        tab: 'referrals',
      },
    ]);
  });

  test('is created for each answer to a support request, with its kind', async () => {
    const userId = randomId();
    const answered = (seq: number, kind: string) => ({
      kind: supportAnswered,
      seq,
      state: { requestId: 'a'.repeat(32), kind, answeredAt: EVENING - HOUR + seq },
    });
    for (const event of [answered(1, 'appeal'), answered(1, 'appeal'), answered(2, 'wish')])
      await world.hand(userId, event);
    expect(await world.titles(userId)).toEqual(['Your request has been answered', 'Your appeal has been answered']);
  });

  test('about a sign-in from a new device is shown once on each of the other devices', async () => {
    const userId = randomId();
    const opened = ['Firefox on Linux', 'Chrome on Android'].map((device, n) => {
      return { sessionId: randomId(), device, openedAt: EVENING - (2 - n) * HOUR };
    });
    const [first, second] = opened.map(({ sessionId }) => sessionId);
    await world.hand(userId, { kind: sessionOpened, seq: 3, state: { opened: opened.slice(0, 1) } });
    for (const seq of [5, 5]) await world.hand(userId, { kind: sessionOpened, seq, state: { opened } });
    expect(await world.titles(userId)).toEqual(['New sign-in: Chrome on Android', 'New sign-in: Firefox on Linux']);
    const seenBy = async (sessionId?: string) => {
      const { notices, unread } = await world.reading.page(userId, { limit: 5, sessionId });
      return [notices.map(({ title }) => title), unread];
    };
    expect(await seenBy(second)).toEqual([['New sign-in: Firefox on Linux'], 1]);
    // What a device was not shown it does not mark as read.
    expect(await world.reading.read(userId, EVENING, { sessionId: second })).toBe(0);
    expect(await seenBy(first)).toEqual([['New sign-in: Chrome on Android'], 1]);
  });

  test('expires after 30 days, and a user keeps only the newest up to the limit', async () => {
    const userId = randomId();
    await world.receive.bought(userId, 'first', EVENING - 29 * DAY);
    const pauses = (n: number) => world.receive.paused(userId, paused(EVENING - 20 * DAY + n * 1_000));
    await Promise.all(Array.from({ length: NOTICES_KEPT_MAX - 1 }, (_, n) => pauses(n)));
    // One more than there is room for: the oldest goes.
    await pauses(NOTICES_KEPT_MAX);
    const { notices, unread } = await page(userId);
    expect([notices.length, unread]).toEqual([50, NOTICES_KEPT_MAX]);
    await world.receive.bought(userId, 'first', EVENING - 29 * DAY);
    expect((await page(userId)).unread).toBe(NOTICES_KEPT_MAX);
  });
});

describe('the list', () => {
  test('continues at its cursor, newest first, even if two notices have the same time', async () => {
    const userId = randomId();
    for (const hours of [5, 3, 3, 3, 1]) await world.receive.paused(userId, paused(EVENING - hours * HOUR));
    const ids: string[] = [];
    let cursor: string | undefined;
    for (;;) {
      const { notices, nextCursor } = await page(userId, { limit: 2, ...(cursor ? { cursor } : {}) });
      ids.push(...notices.map(({ id }) => id));
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
    const whole = (await page(userId)).notices;
    expect(ids).toEqual(whole.map(({ id }) => id));
    expect(ids).toHaveLength(5);
    expect(whole.map(({ at }) => at)).toEqual(
      whole
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    );
  });

  test('is read up to a time; later notices are unread, and other users are not affected', async () => {
    const [userId, other] = [randomId(), randomId()];
    for (const each of [userId, other]) await world.receive.paused(each, paused(EVENING - 2 * HOUR));
    await world.receive.paused(userId, paused(EVENING - HOUR));
    expect(await world.reading.read(userId, EVENING - 2 * HOUR)).toBe(1);
    expect((await page(userId)).notices.map(({ readAt }) => readAt)).toEqual([null, new Date(EVENING).toISOString()]);
    expect(await world.reading.read(userId, EVENING)).toBe(0);
    expect((await page(other)).unread).toBe(1);
  });

  test('contains an epoch from a day before it starts, with the rate that the running node will have', async () => {
    const userId = randomId();
    const startAt = EVENING + 4 * HOUR + 25 * 60_000;
    const table = [epoch('Beta', EVENING - 5 * DAY, 110), epoch('Gamma', startAt), epoch('Delta', EVENING + 2 * DAY)];
    await world.receive.epochs(5, table);
    await world.receive.epochs(4, []);
    world.others.joinedAtMs = EVENING - 2 * DAY;
    world.others.running = { rateNano: 1_925_000_000n, atMs: EVENING };
    expect((await page(userId)).notices).toMatchObject([
      {
        id: 'epoch-gamma',
        kind: 'epoch',
        at: new Date(startAt - DAY).toISOString(),
        title: 'Epoch Gamma starts at 01:25 UTC',
        text: 'Mining pays ×1.2 for 15 days. Your rate becomes 2.100000 CORD/min.',
      },
    ]);
    await world.receive.paused(userId, paused(EVENING - HOUR));
    const first = await page(userId, { limit: 1 });
    expect(first.notices[0]?.kind).toBe('node-paused');
    const rest = await page(userId, { limit: 1, cursor: first.nextCursor ?? '' });
    expect([rest.notices[0]?.id, rest.nextCursor]).toEqual(['epoch-gamma', null]);
    expect(await world.reading.read(userId, EVENING - HOUR)).toBe(0);
    expect((await page(userId)).notices.every(({ readAt }) => readAt !== null)).toBe(true);
    world.others.choices = { epoch: 'off' };
    expect(await world.titles(userId)).toEqual(['Your node paused at 20:00 UTC']);
    await world.receive.epochs(6, []);
  });

  test('shows a change of the rules to every user from its announcement on, without a write per user', async () => {
    const [userId, newcomer] = [randomId(), randomId()];
    const announcedAtMs = EVENING - HOUR;
    const fromMs = EVENING + 4 * HOUR + 25 * 60_000;
    const first = { ...FIRST_BOOK, announcedAtMs: null };
    const second = { ...FIRST_BOOK, version: 2, fromMs, checkinMicro: 40_000_000, announcedAtMs };
    world.announced.length = 0;
    await world.receive.epochs(7, [], [first]);
    expect(world.announced).toEqual([]);
    await world.receive.epochs(8, [], [first, second]);
    await world.receive.epochs(8, [], [first, second]);
    await world.receive.epochs(7, [], [first]);
    expect(world.announced).toEqual(['notices all']);
    expect(await world.notices.ofUser(userId)).toEqual([]);
    world.others.choices = { epoch: 'off' };
    const notice = {
      ...{ id: 'rules-2', kind: 'rules', tab: 'settings', at: new Date(announcedAtMs).toISOString(), readAt: null },
      title: 'The rules change on 28 November, 01:25 UTC',
      text: 'See what changes, and your mining rate before and after.',
    };
    expect(await page(userId)).toEqual({ notices: [notice], unread: 1, nextCursor: null });
    const german = await world.reading.page(userId, { limit: 5, language: 'de', zone: 'Europe/Berlin' });
    expect(german.notices[0]?.title).toBe('Die Regeln ändern sich am 28. November, 02:25');
    world.others.joinedAtMs = announcedAtMs + 1;
    expect((await page(newcomer)).notices).toEqual([]);
    world.others.joinedAtMs = 0;

    expect(await world.reading.read(userId, announcedAtMs)).toBe(0);
    expect(await page(userId)).toMatchObject({ notices: [{ readAt: new Date(EVENING).toISOString() }], unread: 0 });
    expect((await page(newcomer)).unread).toBe(1);
    // A later change is a notice of its own, and what was read stays read.
    const third = { ...second, version: 3, fromMs: EVENING + 100 * HOUR, announcedAtMs: EVENING };
    await world.receive.epochs(9, [], [first, second, third]);
    expect((await page(userId)).notices.map(({ id, readAt }) => [id, readAt !== null])).toEqual([
      ['rules-3', false],
      ['rules-2', true],
    ]);
    await world.clock.advance(fromMs - EVENING);
    expect((await page(userId)).notices[1]).toMatchObject({
      title: 'The rules changed on 28 November, 01:25 UTC',
      text: 'See what changed, and why.',
    });
    await world.receive.epochs(10, [], [first]);
  });
});

test('an erasure deletes the user’s notices and those of others about the user, and late events create none', async () => {
  const [userId, referrer, friend] = [randomId(), randomId(), randomId()];
  await world.receive.paused(userId, paused(EVENING - HOUR));
  await world.receive.checkIn(userId, checkIn('2026-11-27', 3));
  await world.receive.joined(referrer, userId, EVENING - HOUR);
  await world.hand(userId, { kind: userErased, seq: 2, state: {} });
  await world.receive.paused(userId, paused(EVENING));
  await world.receive.checkIn(userId, checkIn('2026-11-28', 4));
  await world.receive.joined(userId, friend, EVENING);
  await world.receive.joined(referrer, userId, EVENING - HOUR);
  expect(await world.titles(userId)).toEqual([]);
  expect(await world.titles(referrer)).toEqual([]);
  expect(await world.people.docs.get(userId)).toEqual({ _id: userId, seq: expect.anything(), erased: true });
});

test('a notice that a crashed process created for an erased user is deleted when its event is redelivered', async () => {
  const [userId, referrer] = [randomId(), randomId()];
  await world.hand(userId, { kind: userErased, seq: 2, state: {} });
  const late = paused(EVENING - HOUR);
  for (const receive of [
    () => world.receive.paused(userId, late),
    () => world.receive.joined(referrer, userId, EVENING - HOUR),
  ]) {
    const looks = vi.spyOn(world.people, 'isErased').mockRejectedValueOnce(new Error('died'));
    await expect(receive()).rejects.toThrow('died');
    looks.mockRestore();
    await receive();
  }
  expect([...(await world.notices.ofUser(userId)), ...(await world.notices.ofUser(referrer))]).toEqual([]);
});
