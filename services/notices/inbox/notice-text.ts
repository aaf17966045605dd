import { checkinReward, REFERRER_BONUS_MICRO } from '@cord/contracts/rules/bonuses';
import { DAY_MS, dayStartOf } from '@cord/contracts/rules/days';
import { deviceIn } from '@cord/contracts/rules/device';
import { bareEpochName } from '@cord/contracts/rules/epochs';
import { microToNumber } from '@cord/contracts/rules/money';
import { rateToNumber } from '@cord/contracts/rules/rate';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import type { Lookups } from './lookups.js';
import type { FactsOf, NoticeDoc } from './notice.js';
import type { NoticeTexts } from './text-table.js';
import { textsIn } from './texts.js';

/** The reader of a text: moment, time zone and language. */
export interface Reader {
  nowMs: number;
  /** IANA name; UTC if absent, or unknown to this server. */
  zone?: string | undefined;
  /** `de` or `de-AT`; English if absent or not translated. */
  language?: string | undefined;
}

export interface NoticeText {
  title: string;
  text: string;
}

/** The facts for a text about an epoch. */
interface EpochFacts {
  name: string;
  multiplierHundredths: number;
  startAt: number;
  endAt: number;
  /** Rate of the user's running node from its beginning, nano-CORD per minute; null while none runs, and after the beginning. */
  rateNano: bigint | null;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const LAMPORTS_IN_SOL = 1e9;

const textsOf = ({ language }: Reader): NoticeTexts => textsIn(language);

/**
 * Returns the text of a stored notice in the reader's language.
 * @param lookups names of users, null for an erased one; the rule book
 */
export async function noticeText(
  { kind, facts, atMs }: Pick<NoticeDoc, 'kind' | 'facts' | 'atMs'>,
  reader: Reader,
  { nameOf, book }: Pick<Lookups, 'nameOf' | 'book'>,
): Promise<NoticeText> {
  const factsOf = <K extends keyof FactsOf>(_kind: K) => facts as unknown as FactsOf[K];
  if (kind === 'node-paused') return pausedNotice(factsOf(kind), reader);
  if (kind === 'streak-closing') return streakNotice(factsOf(kind), reader, book(reader.nowMs));
  if (kind === 'friend-joined') return friendNotice(await nameOf(factsOf(kind).friendId), reader);
  if (kind === 'commission') return commissionNotice(factsOf(kind), reader);
  if (kind === 'support-answered') return answeredNotice(factsOf(kind), reader);
  if (kind === 'security') return securityNotice(factsOf(kind), atMs, reader);
  if (kind === 'rank') {
    const { nearest } = factsOf(kind);
    return rankNotice(factsOf(kind), nearest === undefined ? null : await nameOf(nearest), reader);
  }
  return paymentNotice(factsOf('payment'), reader);
}

function pausedNotice({ pausedAtMs }: FactsOf['node-paused'], reader: Reader): NoticeText {
  const t = textsOf(reader);
  return { title: t.paused({ time: timeOfDay(pausedAtMs, reader) }), text: t.pausedText };
}

/** The reward of the next check-in of a streak, and the time left in the day. */
function streakNotice({ dayKey, streak }: FactsOf['streak-closing'], reader: Reader, book: RuleBook): NoticeText {
  const t = textsOf(reader);
  const { rewardMicro, bonusMicro } = checkinReward(book, streak + 1);
  const amount = numberText(microToNumber(rewardMicro + bonusMicro), t);
  const left = lengthText(Math.max(MINUTE_MS, dayStartOf(dayKey) + DAY_MS - reader.nowMs));
  return { title: t.closing({ left }), text: t.closingText({ days: t.days(streak), amount }) };
}

/** @param name of the friend; null for an erased one */
function friendNotice(name: string | null, reader: Reader): NoticeText {
  const t = textsOf(reader);
  const title = name === null ? t.someoneJoined : t.joined({ name });
  return { title, text: t.joinedText({ amount: numberText(microToNumber(REFERRER_BONUS_MICRO), t) }) };
}

/** The commission of a day, to two decimals; smaller amounts to six, so that no text shows zero. */
function commissionNotice({ dayKey, amountMicro, friends }: FactsOf['commission'], reader: Reader): NoticeText {
  const t = textsOf(reader);
  const cord = microToNumber(BigInt(amountMicro));
  const amount = numberText(cord, t, cord < 0.01 ? { maximumFractionDigits: 6 } : { minimumFractionDigits: 2 });
  return {
    title: t.commission({ day: dayText(dayKey, t), amount }),
    text: t.commissionText({ friends: t.friends(friends) }),
  };
}

function paymentNotice(facts: FactsOf['payment'], reader: Reader): NoticeText {
  const t = textsOf(reader);
  if (!('lamports' in facts)) {
    return { title: t.paid, text: t.transaction({ transaction: shortOf(facts.transaction) }) };
  }
  const { lamports, reason, returnTransaction } = facts;
  const amount = numberText(lamports / LAMPORTS_IN_SOL, t, { maximumFractionDigits: 9 });
  const returned = t.transaction({ transaction: shortOf(returnTransaction) });
  return { title: t.refunded({ amount }), text: `${t.refundReasons[reason] ?? t.refundReason} ${returned}` };
}

/** `5hQ2…x9Ke` */
const shortOf = (transaction: string): string => `${transaction.slice(0, 4)}…${transaction.slice(-4)}`;

function answeredNotice({ request, network }: FactsOf['support-answered'], reader: Reader): NoticeText {
  const t = textsOf(reader);
  const { appeal, refund, support } = t.answered;
  const title = request === 'appeal' ? appeal : request === 'refund' ? refund : support;
  if (network === undefined) return { title, text: t.answeredText };
  const { level, isFlagged, wholeSinceMs } = network;
  const { clean, shared, penalty } = t.levels;
  const check = t.network({ level: level > 0 ? penalty({ level }) : isFlagged ? shared : clean });
  // Only a clear that is still in effect is shown: a user with a reduced rate sees only the level.
  const whole = level === 0 && wholeSinceMs !== null;
  return {
    title,
    text: `${check} ${whole ? t.wholeSince({ since: momentText(wholeSinceMs, reader) }) : t.answeredText}`,
  };
}

export function epochNotice(epoch: EpochFacts, reader: Reader): NoticeText {
  const t = textsOf(reader);
  const { startAt, endAt, multiplierHundredths, rateNano } = epoch;
  const name = bareEpochName(epoch.name);
  const factor = numberText(multiplierHundredths / 100, t);
  const pays = t.pays({ factor, days: spanText(endAt - startAt, t) });
  if (reader.nowMs >= startAt) return { title: t.begun({ name }), text: pays };
  const rate = rateNano === null ? null : numberText(rateToNumber(rateNano), t, { minimumFractionDigits: 6 });
  const becomes = rate === null ? '' : ` ${t.rateBecomes({ rate })}`;
  return { title: t.begins({ name, time: timeOfDay(startAt, reader) }), text: pays + becomes };
}

/** Announces a change of the rules, before and after it. @param fromMs time of the change, ms since epoch */
export function rulesNotice(fromMs: number, reader: Reader): NoticeText {
  const t = textsOf(reader);
  const when = momentText(fromMs, reader);
  if (reader.nowMs >= fromMs) return { title: t.rulesChanged({ when }), text: t.rulesChangedText };
  return { title: t.rulesChange({ when }), text: t.rulesChangeText };
}

/** @param name of the nearest user who passed; null for an erased one */
function rankNotice(facts: FactsOf['rank'], name: string | null, reader: Reader): NoticeText {
  const t = textsOf(reader);
  const [rank, before] = [numberText(facts.rank, t), numberText(facts.before, t)];
  const [day, beforeDay] = [dayText(facts.dayKey, t), dayText(facts.beforeDay, t)];
  return { title: title(), text: t.rankText({ day, before, beforeDay }) };

  function title(): string {
    if (facts.rank < facts.before) return t.rose({ rank });
    if (facts.passedBy === 1 && name !== null) return t.passedBy({ name, rank });
    return t.passedByMany({ miners: t.miners(facts.passedBy), rank });
  }
}

/** @param atMs time of the sign-in, ms since epoch */
function securityNotice({ device }: FactsOf['security'], atMs: number, reader: Reader): NoticeText {
  const t = textsOf(reader);
  const shown = deviceIn({ of: t.device, unknown: t.somewhere }, device);
  return { title: t.signedIn({ device: shown }), text: t.signedInText({ time: timeOfDay(atMs, reader) }) };
}

/** `14:20` in the reader's time zone, `14:20 UTC` when it is unknown. */
export function timeOfDay(ms: number, { zone }: Reader): string {
  const known = zone === undefined ? undefined : formatterOf(zone);
  return known ? known.format(ms) : `${formatterOf('UTC')?.format(ms)} UTC`;
}

/** `12 November, 10:31`: day and time in the reader's time zone, in UTC when it is unknown. */
function momentText(ms: number, reader: Reader): string {
  const timeZone = reader.zone !== undefined && formatterOf(reader.zone) ? reader.zone : 'UTC';
  const day = new Date(ms).toLocaleDateString(textsOf(reader).locale, { day: 'numeric', month: 'long', timeZone });
  return `${day}, ${timeOfDay(ms, reader)}`;
}

function formatterOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
  } catch {
    return undefined;
  }
}

/** `2 h`, `1 h 20 min`, `45 min`; started minutes are rounded up. */
export function lengthText(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE_MS);
  const hours = Math.floor((minutes * MINUTE_MS) / HOUR_MS);
  const rest = minutes - hours * 60;
  return [hours > 0 ? `${hours} h` : '', rest > 0 ? `${rest} min` : ''].filter(Boolean).join(' ');
}

/** Full days; exactly one day, or two and more. Any other length as `lengthText`. */
function spanText(ms: number, t: NoticeTexts): string {
  return ms >= 2 * DAY_MS || ms === DAY_MS ? t.days(Math.floor(ms / DAY_MS)) : lengthText(ms);
}

/** `26 November`: a UTC day. */
function dayText(dayKey: string, { locale }: NoticeTexts): string {
  return new Date(dayStartOf(dayKey)).toLocaleDateString(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' });
}

function numberText(number: number, { locale }: NoticeTexts, digits: Intl.NumberFormatOptions = {}): string {
  const least = digits.minimumFractionDigits ?? 0;
  return number.toLocaleString(locale, { maximumFractionDigits: Math.max(2, least), ...digits });
}
