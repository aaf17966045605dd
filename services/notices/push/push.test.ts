import { createHash } from 'node:crypto';
import { nodePaused, nodeStarted } from '@cord/contracts/events/node';
import { userErased } from '@cord/contracts/events/user';
import { PUSH_DEVICES_MAX } from '@cord/contracts/rules/notices';
import { randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { EVENING, HOUR, paused } from '../test/inbox-world.js';
import { KEYS, openPushWorld, SUBJECT } from '../test/push-world.js';
import { idOf, SUBSCRIPTIONS } from './subscriptions.js';

const world = forAllTests(() => openPushWorld());
beforeEach(() => {
  const settings = { notifications: true, quietHours: null, locale: null };
  Object.assign(world.others, { choices: { 'node-paused': 'push', payment: 'push' }, settings, lease: null });
  world.sent.length = 0;
});

const badge = (userId: string) => world.receive.bought(userId, randomId(), world.clock.now());

describe('a push of a notice', () => {
  test('arrives once, signed and encrypted for the browser, in the reader’s language and time zone', async () => {
    const { userId, browser } = await world.someone();
    const sessionId = randomId();
    const state = paused(EVENING - HOUR, sessionId);
    for (const seq of [3, 3, 9]) await world.hand(userId, { kind: nodePaused, seq, state });
    await world.sweep();
    await world.sweep();
    expect(browser.got).toHaveLength(1);
    const [{ claims, key, headers, data }] = browser.got as [(typeof browser.got)[0]];
    expect(data).toEqual({
      title: 'Your node paused at 21:00',
      text: 'You were away for 8 hours. Everything earned until then has been credited.',
      tab: 'node',
      about: `node-paused.${sessionId}`,
      atMs: EVENING - HOUR,
    });
    expect([key, claims.aud, claims.sub]).toEqual([KEYS.publicKey, `https://${world.service.host}`, SUBJECT]);
    expect(claims.exp).toBeGreaterThan(Date.now() / 1_000);
    expect(claims.exp).toBeLessThanOrEqual(Date.now() / 1_000 + 24 * 3_600);
    const topic = createHash('sha256').update(`node-paused.${sessionId}`).digest('base64url').slice(0, 32);
    expect(headers).toMatchObject({ ttl: '86400', topic, urgency: 'normal', 'content-encoding': 'aes128gcm' });
  });

  test('goes to no browser whose session ended until it signs in again, and to none until ended sessions are known', async () => {
    const userId = randomId();
    const sessionId = randomId();
    const signedOut = await world.another(userId, { sessionId });
    const browser = await world.another(userId);
    world.ended.add(sessionId);
    await badge(userId);
    await world.sweep();
    expect([signedOut.got.length, browser.got.length]).toEqual([0, 1]);
    const nowMs = world.clock.now();
    const session = { sessionId: randomId(), keyId: 'k', issuedAtMs: nowMs, expiresAtMs: nowMs + HOUR };
    const { endpoint, keys } = signedOut.subscription;
    await world.subscriptions.put(userId, { endpoint, keys }, { session, device: 'Firefox on Linux' }, nowMs);
    world.sessions.known = false;
    await badge(userId);
    await world.sweep();
    expect([signedOut.got.length, browser.got.length]).toEqual([0, 1]);
    world.sessions.known = true;
    await world.clock.advance(30_000);
    await world.sweep();
    expect([signedOut.got.length, browser.got.length]).toEqual([1, 2]);
  });

  test('is not sent if the kind or all pushes are off, in quiet hours, or after reading', async () => {
    const { userId, browser } = await world.someone();
    const { others } = world;
    others.choices = { payment: 'app' };
    await badge(userId);
    others.choices = { payment: 'push', 'node-paused': 'push' };
    others.settings = { ...others.settings, notifications: false };
    await badge(userId);
    await world.sweep();
    // 22:00 in Berlin.
    const quietHours = { from: '21:30', to: '07:00', zone: 'Europe/Berlin' };
    others.settings = { notifications: true, quietHours, locale: null };
    await badge(userId);
    await world.sweep();
    others.settings = { notifications: true, quietHours: null, locale: null };
    await badge(userId);
    await world.reading.read(userId, world.clock.now());
    await world.sweep();
    expect(browser.got).toEqual([]);
    expect(await world.titles(userId)).toHaveLength(4);
    // A node that has paused does not wait.
    others.settings = { ...others.settings, quietHours };
    await world.hand(userId, { kind: nodePaused, seq: 3, state: paused(EVENING - HOUR) });
    await world.sweep();
    expect(browser.got).toHaveLength(1);
  });

  test('is not sent once the notice is older than a day, as after an outage of this service', async () => {
    const { userId, browser } = await world.someone();
    await badge(userId);
    await world.clock.advance(25 * HOUR);
    await world.pushNotices();
    expect(browser.got).toEqual([]);
    expect(await world.titles(userId)).toHaveLength(1);
  });

  test('is retried only where it did not arrive, never at a removed device, and follows no redirect', async () => {
    const { userId, browser } = await world.someone();
    const [busy, ended, elsewhere] = [
      await world.another(userId),
      await world.another(userId),
      await world.another(userId),
    ];
    busy.answer = { status: 503, headers: { 'retry-after': '90' } };
    ended.answer = { status: 410 };
    elsewhere.answer = { status: 307, headers: { location: browser.subscription.endpoint } };
    await badge(userId);
    await world.sweep();
    expect([...world.sent].sort()).toEqual(['gone', 'later', 'refused', 'sent']);
    expect((await world.subscriptions.ofUser(userId)).map(({ _id }) => _id)).not.toContain(
      idOf(ended.subscription.endpoint),
    );
    busy.answer = { status: 201 };
    await world.clock.advance(60_000);
    await world.sweep();
    expect(busy.got).toHaveLength(0);
    await world.clock.advance(60_000);
    await world.sweep();
    await world.sweep();
    expect([browser.got.length, busy.got.length, elsewhere.got.length]).toEqual([1, 1, 0]);
  });

  test('is sent at once if a clock ahead postponed it by longer than any push waits', async () => {
    const { userId, browser } = await world.someone();
    for (const waitMs of [HOUR, 24 * HOUR]) {
      await badge(userId);
      const [notice] = await world.notices.duePushes(world.clock.now(), 9, () => true);
      await world.notices.pushed(notice?._id ?? '', { atMs: world.clock.now() + waitMs, tries: 0, to: [] });
    }
    await world.sweep();
    expect(browser.got).toHaveLength(1);
  });

  test('is repeated after a crash between push and mark, and replaces the first one on the device', async () => {
    const { userId, browser } = await world.someone();
    await badge(userId);
    const [notice] = await world.notices.duePushes(world.clock.now(), 9, () => true);
    await world.sweep();
    // As if the sweep had not come to its mark.
    await world.notices.pushed(notice?._id ?? '', { atMs: world.clock.now(), tries: 0, to: [] });
    await world.sweep();
    const about = browser.got.map(({ data }) => data.about);
    expect(about).toEqual([`payment.${notice?.subject}`, `payment.${notice?.subject}`]);
    expect(await world.notices.duePushes(world.clock.now(), 9, () => true)).toEqual([]);
  });
});

describe('the warning before a node pauses', () => {
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Europe/Berlin' });
  const inBerlin = (ms: number) => clock.format(ms);
  const running = (leaseUntil: number) => ({ ...paused(leaseUntil), leaseUntil });

  test('is pushed an hour before, once for each pause, offers to extend, and is in no list', async () => {
    const { userId, browser } = await world.someone();
    const begun = world.clock.now();
    const sessionId = randomId();
    world.others.lease = { sessionId, leaseUntilMs: begun + 8 * HOUR };
    await world.hand(userId, { kind: nodeStarted, seq: 1, state: running(begun + 8 * HOUR) });
    // It was used for two hours: the pause has moved, and no event announced it.
    world.others.lease = { sessionId, leaseUntilMs: begun + 10 * HOUR };
    await world.clock.advance(7 * HOUR);
    await world.sweep();
    expect(browser.got).toEqual([]);
    await world.clock.advance(2 * HOUR);
    for (let times = 0; times < 3; times += 1) await world.sweep();
    expect(browser.got).toHaveLength(1);
    expect(browser.got[0]?.headers).toMatchObject({ ttl: '3600', urgency: 'high' });
    expect(browser.got[0]?.data).toMatchObject({
      title: `Your node pauses at ${inBerlin(begun + 10 * HOUR)}`,
      text: `1 h left. Extend it to keep it running until ${inBerlin(begun + 17 * HOUR)}.`,
      tab: 'node',
      about: `node-paused.${sessionId}`,
      extend: {
        path: `/api/users/${userId}/mining/${sessionId}/save`,
        press: 'Extend',
        open: 'Open CORD',
        done: { title: 'Runs until {time}', text: 'Extended. There is nothing else to do.' },
      },
    });
    expect(await world.titles(userId)).toEqual([]);
    // Extended: another pause, and another notice.
    world.others.lease = { sessionId, leaseUntilMs: world.clock.now() + 8 * HOUR };
    await world.clock.advance(HOUR);
    await world.sweep();
    expect(browser.got).toHaveLength(1);
    await world.clock.advance(6 * HOUR);
    await world.sweep();
    expect(browser.got).toHaveLength(2);
  });

  test('is pushed even if a clock ahead postponed the look-up, or the pause itself', async () => {
    const { userId, browser } = await world.someone();
    const sessionId = randomId();
    const begun = world.clock.now();
    const pausesAt = (leaseUntilMs: number) => Object.assign(world.others, { lease: { sessionId, leaseUntilMs } });
    pausesAt(begun + 32 * HOUR);
    await world.hand(userId, { kind: nodeStarted, seq: 1, state: running(begun + 32 * HOUR) });
    await world.sweep();
    expect((await world.people.docs.get(userId))?.warnAtMs).toBe(begun + 7 * HOUR);
    await world.people.docs.update(userId, (person) => ({ ...person, warnAtMs: begun + 24 * HOUR }));
    pausesAt(begun + HOUR);
    await world.sweep();
    expect(browser.got).toHaveLength(1);
  });

  test('follows a node that starts, or a new browser, while a look-up is under way', async () => {
    const { clock, people, others, lookups, subscriptions } = world;
    const begins = async (userId: string) => {
      const state = running(clock.now() + 8 * HOUR);
      await world.hand(userId, { kind: nodeStarted, seq: 3, state });
      return { sessionId: state.sessionId, leaseUntilMs: state.leaseUntil };
    };
    const { userId, browser } = await world.someone();
    await begins(userId);
    await clock.advance(8 * HOUR);
    const ofLook = vi.spyOn(lookups, 'leaseOf').mockImplementation(async (of) => {
      if (of === userId && others.lease === null) others.lease = await begins(userId);
      return null;
    });
    await world.sweep();
    ofLook.mockRestore();
    expect((await people.docs.get(userId))?.warnAtMs).toBe(clock.now() + 7 * HOUR);
    await clock.advance(7 * HOUR);
    await world.sweep();
    expect(browser.got).toHaveLength(1);

    const { userId: another } = await world.someone();
    await world.warnings.lookSoon(another);
    await clock.advance(1_000);
    const ofDevices = vi.spyOn(subscriptions, 'hasAny').mockImplementation(async (of) => {
      if (of === another) await world.warnings.lookSoon(another);
      return false;
    });
    await world.sweep();
    ofDevices.mockRestore();
    expect((await people.docs.get(another))?.warnAtMs).toBe(clock.now());
  });

  test('is omitted when the clock jumps over it, and only the pause is pushed', async () => {
    const { userId, browser } = await world.someone();
    const leaseUntilMs = world.clock.now() + 8 * HOUR;
    const state = running(leaseUntilMs);
    world.others.lease = { sessionId: state.sessionId, leaseUntilMs };
    await world.hand(userId, { kind: nodeStarted, seq: 1, state });
    await world.clock.advance(9 * HOUR);
    await world.sweep();
    world.others.lease = null;
    await world.hand(userId, { kind: nodePaused, seq: 2, state });
    await world.sweep();
    expect(browser.got.map(({ data }) => data.about)).toEqual([`node-paused.${state.sessionId}`]);
    expect(browser.got[0]?.data.extend).toBeUndefined();
  });
});

describe('the devices of a user', () => {
  test('stay with the newest sign-in of the browser; a late call of an earlier one changes nothing', async () => {
    const [userId, former] = [randomId(), randomId()];
    const browser = await world.another(former);
    const { endpoint, keys } = browser.subscription;
    const signedIn = (issuedAtMs: number) => ({
      session: { sessionId: randomId(), keyId: 'k', issuedAtMs, expiresAtMs: issuedAtMs + HOUR },
      device: 'Firefox on Linux',
    });
    const nowMs = world.clock.now();
    const put = (of: string, issuedAtMs: number) =>
      world.subscriptions.put(of, { endpoint, keys }, signedIn(issuedAtMs), nowMs);
    await put(userId, nowMs + 60_000);
    expect(await put(former, nowMs)).toBeNull();
    expect(await put(userId, nowMs)).toMatchObject({ session: { issuedAtMs: nowMs + 60_000 } });
    expect(await world.subscriptions.ofUser(former)).toEqual([]);
    // By a clock that is behind the one of the sign-in before.
    await put(former, nowMs + 50_000);
    expect(await world.subscriptions.ofUser(former)).toHaveLength(1);
  });

  test('are at most five, belong to one user at a time, are stored encrypted, and go with an erasure', async () => {
    const { userId, browser: first } = await world.someone();
    const later = [];
    for (let n = 0; n < PUSH_DEVICES_MAX; n += 1) {
      await world.clock.advance(1_000);
      later.push(await world.another(userId));
    }
    const ids = (await world.subscriptions.ofUser(userId)).map(({ _id }) => _id);
    expect(ids).toEqual(later.map(({ subscription }) => idOf(subscription.endpoint)).reverse());
    expect(ids).not.toContain(idOf(first.subscription.endpoint));

    const other = randomId();
    const [moved] = later as [(typeof later)[0]];
    const { endpoint, keys } = moved.subscription;
    const issuedAtMs = world.clock.now();
    const session = { sessionId: randomId(), keyId: 'k', issuedAtMs, expiresAtMs: Number.MAX_SAFE_INTEGER };
    await world.subscriptions.put(other, { endpoint, keys }, { session, device: 'Firefox on Linux' }, issuedAtMs);
    expect(await world.subscriptions.ofUser(userId)).toHaveLength(PUSH_DEVICES_MAX - 1);
    const stored = JSON.stringify(await SUBSCRIPTIONS.in(world.connection).find({ userId: other }).toArray());
    for (const secret of [endpoint, keys.auth, keys.p256dh]) expect(stored).not.toContain(secret);

    await world.hand(other, { kind: userErased, seq: 9, state: {} });
    expect(await world.subscriptions.ofUser(other)).toEqual([]);
  });
});
