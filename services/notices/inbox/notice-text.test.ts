import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { expect, test } from 'vitest';
import type { FactsOf } from './notice.js';
import { epochNotice, noticeText } from './notice-text.js';

const AT = Date.UTC(2026, 10, 27, 14, 20);
const KOFI = 'k'.repeat(32);
const nameOf = async (userId: string) => (userId === KOFI ? 'kofi_b' : null);
const lookups = { nameOf, book: () => FIRST_BOOK };

const refunded = {
  refundId: 'r',
  lamports: 20_000_000,
  reason: 'order-expired',
  returnTransaction: `5hQ2${'x'.repeat(80)}x9Ke`,
};
const rank = { dayKey: '2026-11-26', rank: 31, beforeDay: '2026-11-25', before: 34, passedBy: 0 };
const passed = { ...rank, rank: 1_032, before: 1_031, passedBy: 1, nearest: KOFI };

const NOTICES: readonly (readonly [keyof FactsOf, object, english: string, german: string])[] = [
  ['node-paused', { pausedAtMs: AT }, 'Your node paused at 14:20 UTC', 'Dein Node hat um 14:20 UTC pausiert'],
  [
    'streak-closing',
    { dayKey: '2026-11-27', streak: 18 },
    'Check in before 00:00 UTC to keep 18 days. Today pays 145 CORD.',
    'Checke vor 00:00 UTC ein, um 18 Tage zu behalten. Heute bringt 145 CORD.',
  ],
  ['friend-joined', { friendId: KOFI }, 'kofi_b joined with your code', 'kofi_b ist mit deinem Code dabei'],
  ['friend-joined', { friendId: 'x' }, 'A friend joined with your code', 'Ein Freund ist mit deinem Code dabei'],
  [
    'commission',
    { dayKey: '2026-11-26', amountMicro: '1238385000', friends: 7 },
    'Commission for 26 November: 1,238.39 CORD | 10% of what 7 friends earned that day.',
    'Provision vom 26. November: 1.238,39 CORD | 10\u00a0% von dem, was 7 Freunde an diesem Tag verdient haben.',
  ],
  [
    'commission',
    { dayKey: '2026-11-26', amountMicro: '1200', friends: 1 },
    'Commission for 26 November: 0.0012 CORD | 10% of what 1 friend earned that day.',
    'Provision vom 26. November: 0,0012 CORD',
  ],
  [
    'payment',
    refunded,
    'Refund confirmed: 0.02 SOL | Your payment arrived after the order had expired. Transaction 5hQ2…x9Ke is final.',
    'Rückzahlung bestätigt: 0,02 SOL',
  ],
  [
    'payment',
    { ...refunded, reason: 'of-a-newer-release' },
    'Your payment could not be accepted. Transaction 5hQ2…x9Ke is final.',
    'Deine Zahlung konnte nicht angenommen werden.',
  ],
  [
    'payment',
    { orderId: 'o', transaction: refunded.returnTransaction },
    'Payment confirmed: the Badge of Honor is yours | Transaction 5hQ2…x9Ke is final.',
    'Zahlung bestätigt: Das Badge of Honor gehört dir | Transaktion 5hQ2…x9Ke ist endgültig.',
  ],
  ['support-answered', { request: 'appeal' }, 'Your appeal has been answered', 'Dein Einspruch wurde beantwortet'],
  [
    'support-answered',
    { request: 'appeal', network: { level: 0, isFlagged: false, wholeSinceMs: Date.UTC(2026, 10, 12, 10, 31) } },
    'Your appeal has been answered | Network check: Clean. Your full rate was restored on 12 November, 10:31 UTC.',
    'Netzwerkprüfung: Sauber. Deine volle Rate gilt wieder seit dem 12. November, 10:31 UTC.',
  ],
  [
    'support-answered',
    { request: 'appeal', network: { level: 0, isFlagged: true, wholeSinceMs: null } },
    'Network check: Shared. You will find our reply in Settings, under Support.',
    'Netzwerkprüfung: Gemeinsam. Die Antwort findest du in den Einstellungen, unter Support.',
  ],
  [
    'support-answered',
    { request: 'appeal', network: { level: 2, isFlagged: true, wholeSinceMs: AT } },
    'Network check: Level 2. You will find our reply in Settings, under Support.',
    'Netzwerkprüfung: Stufe 2. Die Antwort findest du in den Einstellungen, unter Support.',
  ],
  [
    'rank',
    rank,
    'You moved up to rank 31 | All time, at the end of 26 November. You were rank 34 at the end of 25 November.',
    'Du bist auf Rang 31 aufgestiegen | Gesamt, am Ende des 26. November. Am Ende des 25. November warst du auf Rang 34.',
  ],
  ['rank', passed, 'Passed by kofi_b: you are rank 1,032', 'Überholt von kofi_b: Du bist auf Rang 1.032'],
  ['rank', { ...passed, passedBy: 3 }, 'Passed by 3 miners: you are rank 1,032', 'Überholt von 3 Minern'],
  ['rank', { ...passed, nearest: 'x' }, 'Passed by 1 miner: you are rank 1,032', 'Überholt von 1 Miner:'],
  [
    'security',
    { sessionId: 's', device: 'Firefox on Linux' },
    'New sign-in: Firefox on Linux | At 14:20 UTC. If this was not you, end its session in Settings, under Security.',
    'Neue Anmeldung: Firefox auf Linux | Um 14:20 UTC.',
  ],
  ['security', { sessionId: 's', device: 'Unknown device' }, 'New sign-in: an unknown device', 'ein unbekanntes Gerät'],
];

test.each(NOTICES)('%s of %o is in the reader’s language', async (kind, facts, english, german) => {
  const notice = { kind, facts: { ...facts }, atMs: AT };
  const textIn = async (language: string | undefined) => {
    const { title, text } = await noticeText(notice, { nowMs: AT, language }, lookups);
    return `${title} | ${text}`;
  };
  expect(await textIn('en')).toContain(english);
  expect(await textIn(undefined)).toBe(await textIn('en'));
  // It is not translated yet.
  expect(await textIn('fr-CA')).toBe(await textIn('en'));
  expect(await textIn('de-AT')).toContain(german);
});

test('the time of a restored rate is shown in the reader’s time zone', async () => {
  const network = { level: 0, isFlagged: false, wholeSinceMs: Date.UTC(2026, 10, 11, 23, 31) };
  const notice = { kind: 'support-answered', facts: { request: 'appeal', network }, atMs: AT };
  const textIn = async (zone: string) => (await noticeText(notice, { nowMs: AT, zone }, lookups)).text;
  expect(await textIn('Europe/Berlin')).toBe(
    'Network check: Clean. Your full rate was restored on 12 November, 00:31.',
  );
  expect(await textIn('Moon/Sea')).toContain('on 11 November, 23:31 UTC.');
});

test('an epoch is in the reader’s language, with its name as on the pages', () => {
  const gamma = { name: 'Epoch Gamma', multiplierHundredths: 120, startAt: AT, endAt: AT + 15 * 86_400_000 };
  const textIn = (language: string) =>
    epochNotice({ ...gamma, rateNano: 2_100_000_000n }, { nowMs: AT - 1, zone: 'Europe/Berlin', language });
  expect(textIn('en')).toEqual({
    title: 'Epoch Gamma starts at 15:20',
    text: 'Mining pays ×1.2 for 15 days. Your rate becomes 2.100000 CORD/min.',
  });
  expect(textIn('de')).toEqual({
    title: 'Epoche Gamma beginnt um 15:20',
    text: 'Mining bringt ×1,2, 15 Tage lang. Deine Rate wird 2,100000 CORD/min.',
  });
});

test.each([
  [6, '6 h'],
  [30, '30 h'],
  [47.5, '47 h 30 min'],
  [24, '1 day'],
  [48, '2 days'],
  [71.9, '2 days'],
])('an epoch of %d hours is announced for no longer than it lasts: %s', (hours, lasts) => {
  const happy = {
    name: 'Happy',
    multiplierHundredths: 200,
    startAt: AT,
    endAt: AT + hours * 3_600_000,
    rateNano: null,
  };
  expect(epochNotice(happy, { nowMs: AT }).text).toBe(`Mining pays ×2 for ${lasts}.`);
});
