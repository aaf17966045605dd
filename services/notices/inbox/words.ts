import { checkinReward, REFERRER_BONUS_MICRO } from '@cord/contracts/rules/bonuses';
import { DAY_MS, dayStartOf } from '@cord/contracts/rules/days';
import { microToNumber } from '@cord/contracts/rules/money';
import { rateToNumber } from '@cord/contracts/rules/rate';
import type { FactsOf } from './notice.js';
import { TEXTS } from './texts.js';

/** What words are made for: a moment, and where its reader's clock stands. */
export interface Reader {
  nowMs: number;
  /** IANA name; UTC where it is absent or this server does not know it. */
  zone?: string | undefined;
}

export interface Words {
  title: string;
  text: string;
}

/** What is told of an epoch. */
export interface EpochFacts {
  name: string;
  multiplierHundredths: number;
  startAt: number;
  endAt: number;
  /** What the user's running node will earn from its beginning on, nano-CORD per minute; null while none runs, and later. */
  rateNano: bigint | null;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

export function pausedWords({ pausedAtMs }: FactsOf['node-paused'], reader: Reader): Words {
  return { title: TEXTS.paused({ time: timeOfDay(pausedAtMs, reader) }), text: TEXTS.pausedText };
}

/** The next check-in of a streak and what is left of its day. */
export function streakWords({ dayKey, streak }: FactsOf['streak-closing'], { nowMs }: Reader): Words {
  const { rewardMicro, bonusMicro } = checkinReward(streak + 1);
  const amount = amountText(microToNumber(rewardMicro + bonusMicro));
  const left = lengthText(Math.max(MINUTE_MS, dayStartOf(dayKey) + DAY_MS - nowMs));
  return { title: TEXTS.closing({ left }), text: TEXTS.closingText({ days: TEXTS.days(streak), amount }) };
}

/** @param name of the friend; null for one whom nobody knows any more */
export function friendWords(name: string | null): Words {
  const title = name === null ? TEXTS.someoneJoined : TEXTS.joined({ name });
  return { title, text: TEXTS.joinedText({ amount: amountText(microToNumber(REFERRER_BONUS_MICRO)) }) };
}

export function paymentWords(): Words {
  return { title: TEXTS.paid, text: TEXTS.paidText };
}

export function answeredWords({ request }: FactsOf['support-answered']): Words {
  const { appeal, refund, support } = TEXTS.answered;
  const title = request === 'appeal' ? appeal : request === 'refund' ? refund : support;
  return { title, text: TEXTS.answeredText };
}

export function epochWords(epoch: EpochFacts, reader: Reader): Words {
  const { name, startAt, endAt, multiplierHundredths, rateNano } = epoch;
  const factor = String(multiplierHundredths / 100);
  const pays = TEXTS.pays({ factor, days: TEXTS.days(Math.round((endAt - startAt) / DAY_MS)) });
  if (reader.nowMs >= startAt) return { title: TEXTS.begun({ name }), text: pays };
  const becomes = rateNano === null ? '' : ` ${TEXTS.rateBecomes({ rate: rateToNumber(rateNano).toFixed(6) })}`;
  return { title: TEXTS.begins({ name, time: timeOfDay(startAt, reader) }), text: pays + becomes };
}

/** `14:20` by the reader's clock, `14:20 UTC` where that is not known. */
function timeOfDay(ms: number, { zone }: Reader): string {
  const known = zone === undefined ? undefined : formatterOf(zone);
  return known ? known.format(ms) : `${formatterOf('UTC')?.format(ms)} UTC`;
}

function formatterOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
  } catch {
    return undefined;
  }
}

/** `2 h`, `1 h 20 min`, `45 min`; begun minutes count whole. */
function lengthText(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE_MS);
  const hours = Math.floor((minutes * MINUTE_MS) / HOUR_MS);
  const rest = minutes - hours * 60;
  return [hours > 0 ? `${hours} h` : '', rest > 0 ? `${rest} min` : ''].filter(Boolean).join(' ');
}

function amountText(cord: number): string {
  return cord.toLocaleString('en', { maximumFractionDigits: 2 });
}
