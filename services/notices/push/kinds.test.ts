import { nodePaused } from '@cord/contracts/events/node';
import { ranksClosed } from '@cord/contracts/events/ranks';
import { referralJoined, referralLinked } from '@cord/contracts/events/referral';
import { badgePurchased, epochChanged } from '@cord/contracts/events/rewards';
import { supportAnswered } from '@cord/contracts/events/support';
import { checkinPerformed } from '@cord/contracts/events/tasks';
import { sessionOpened } from '@cord/contracts/events/user';
import { NOTICE_KINDS, type NoticeKind } from '@cord/contracts/rules/notices';
import { randomId } from '@cord/kit/testing/index';
import type { TestEvent } from '@cord/kit/testing/last-only';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, expect, test } from 'vitest';
import { checkIn, EVENING, epoch, HOUR, paused } from '../test/inbox-world.js';
import { openPushWorld } from '../test/push-world.js';

const world = forAllTests(() => openPushWorld());
beforeAll(() => {
  world.others.settings = { ...world.others.settings, locale: 'de' };
  world.others.names.set(KOFI, 'kofi_b');
  world.others.commission = { '2026-11-27': 38_390_000n };
});

const KOFI = randomId();
const TRANSACTION = `5hQ2${'x'.repeat(80)}x9Ke`;
const network = { level: 0, isFlagged: false, wholeSince: EVENING };

interface Case {
  /** The events of the user: each of them comes twice. */
  events(userId: string): readonly TestEvent[];
  /** Whether it is of all users. */
  ofAll?: boolean;
  /** How long after that it falls due, ms. */
  afterMs?: number;
  /** What the device shows, in German and by the clock of Berlin. */
  title: string;
  text: string;
  tab: string;
}

/* Friday 27 November 2026 from 21:00 UTC on, in this order and on one clock. */
const CASES: Record<NoticeKind, Case> = {
  'node-paused': {
    events: () => [{ kind: nodePaused, seq: 3, state: paused(EVENING - HOUR) }],
    title: 'Dein Node hat um 21:00 pausiert',
    text: 'Du warst 8 Stunden lang nicht da. Alles bis dahin Verdiente ist gutgeschrieben.',
    tab: 'node',
  },
  'friend-joined': {
    events: () => [{ kind: referralJoined, seq: 1, state: { friendId: KOFI, joinedAt: EVENING, counts: true } }],
    title: 'kofi_b ist mit deinem Code dabei',
    text: 'Du erhältst 86 CORD, sobald der Node 10 Minuten gelaufen ist.',
    tab: 'referrals',
  },
  payment: {
    events: () => [
      { kind: badgePurchased, seq: 1, state: { orderId: 'o', purchasedAt: EVENING, transaction: TRANSACTION } },
    ],
    title: 'Zahlung bestätigt: Das Badge of Honor gehört dir',
    text: 'Transaktion 5hQ2…x9Ke ist endgültig.',
    tab: 'dashboard',
  },
  'support-answered': {
    events: () => [
      {
        kind: supportAnswered,
        seq: 1,
        state: { requestId: 'a'.repeat(32), kind: 'appeal', answeredAt: EVENING, network },
      },
    ],
    title: 'Dein Einspruch wurde beantwortet',
    text: 'Netzwerkprüfung: Sauber. Deine volle Rate gilt wieder seit dem 27. November, 22:00.',
    tab: 'settings',
  },
  security: {
    events: () => [
      {
        kind: sessionOpened,
        seq: 5,
        state: { opened: [{ sessionId: randomId(), device: 'Firefox on Linux', openedAt: EVENING }] },
      },
    ],
    title: 'Neue Anmeldung: Firefox auf Linux',
    text: 'Um 22:00. Wenn du das nicht warst, beende die Sitzung in den Einstellungen, unter Sicherheit.',
    tab: 'settings',
  },
  rank: {
    events: (userId) => [
      {
        kind: ranksClosed,
        seq: 7,
        state: {
          dayKey: '2026-11-26',
          beforeDay: '2026-11-25',
          closedAt: EVENING - 21 * HOUR,
          moved: [{ userId, rank: 35, before: 34, passedBy: 1, nearest: KOFI }],
        },
      },
    ],
    ofAll: true,
    title: 'Überholt von kofi_b: Du bist auf Rang 35',
    text: 'Gesamt, am Ende des 26. November. Am Ende des 25. November warst du auf Rang 34.',
    tab: 'leaderboard',
  },
  epoch: {
    events: () => [
      { kind: epochChanged, seq: 5, state: { epochs: [epoch('Gamma', EVENING + 3.5 * HOUR)], books: [] } },
    ],
    ofAll: true,
    title: 'Epoche Gamma beginnt um 01:30',
    text: 'Mining bringt ×1,2, 15 Tage lang.',
    tab: 'node',
  },
  'streak-closing': {
    events: () => [{ kind: checkinPerformed, seq: 18, state: checkIn('2026-11-26', 18) }],
    afterMs: HOUR,
    title: 'Deine Serie endet in 2 h',
    text: 'Checke vor 00:00 UTC ein, um 18 Tage zu behalten. Heute bringt 145 CORD.',
    tab: 'tasks',
  },
  commission: {
    events: () => [
      {
        kind: referralLinked,
        seq: 4,
        state: {
          at: EVENING,
          referralCode: 'ABCDEFGH',
          referredBy: null,
          totalReferrals: 7,
          earningsMicro: '38390000',
        },
      },
    ],
    afterMs: 2 * HOUR + 60_000,
    title: 'Provision vom 27. November: 38,39 CORD',
    text: '10\u00a0% von dem, was 7 Freunde an diesem Tag verdient haben.',
    tab: 'referrals',
  },
};

test('every kind of notice has a case here', () => {
  expect(Object.keys(CASES).sort()).toEqual([...NOTICE_KINDS].sort());
});

test.each(Object.entries(CASES) as [NoticeKind, Case][])(
  '%s, chosen as push, reaches the device once, in the reader’s language',
  async (kind, given) => {
    const [{ userId, browser }, inApp] = [await world.someone(), await world.someone()];
    world.others.choicesOf.set(userId, { [kind]: 'push' });
    world.others.choicesOf.set(inApp.userId, { [kind]: 'app' });
    for (const event of given.events(userId).flatMap((one) => [one, one]))
      await world.hand(given.ofAll ? '' : userId, event);
    await world.sweep();
    if (given.afterMs) {
      expect(browser.got).toEqual([]);
      await world.clock.advance(given.afterMs);
    }
    for (let times = 0; times < 2; times += 1) await world.sweep();
    const { title, text, tab } = given;
    expect(browser.got.map(({ data }) => data)).toEqual([expect.objectContaining({ title, text, tab })]);
    expect(inApp.browser.got).toEqual([]);
    if (kind === 'epoch') await world.receive.epochs(6, []);
  },
);
