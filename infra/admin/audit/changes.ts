import type { AuditEntry } from '@cord/contracts/http/support';
import type { TextsOf } from '@cord/sdk';
import { formatExact, formatMultiplier } from '@cord/ui';
import { minuteOfYear } from '../room/moments';
import type { TEXTS } from './texts';

type Texts = TextsOf<typeof TEXTS>;

/** As it was before an act and after it, as far as it is in its line. */
export interface Changed {
  before: string | null;
  after: string | null;
}

type Stand = `stand.${
  | 'checked'
  | 'lifted'
  | 'counted'
  | 'shared'
  | 'user'
  | 'operator'
  | 'open'
  | 'answered'
  | 'closed'
  | 'on'
  | 'off'
  | 'owed'
  | 'returned'
  | 'signedIn'
  | 'ended'}`;

/** Acts that change one thing into another, always the same. */
const TURNS: Readonly<Record<string, readonly [Stand, Stand]>> = {
  'user.cleared': ['stand.checked', 'stand.lifted'],
  'user.uncleared': ['stand.lifted', 'stand.checked'],
  'address.shared': ['stand.counted', 'stand.shared'],
  'address.unshared': ['stand.shared', 'stand.counted'],
  'role.admin': ['stand.user', 'stand.operator'],
  'role.user': ['stand.operator', 'stand.user'],
  'support.answered': ['stand.open', 'stand.answered'],
  'support.closed': ['stand.open', 'stand.closed'],
  'switch.on': ['stand.off', 'stand.on'],
  'switch.off': ['stand.on', 'stand.off'],
  'refund.returned': ['stand.owed', 'stand.returned'],
  'sessions.ended': ['stand.signedIn', 'stand.ended'],
};

/** @param textOf the text of a value that the line has by its code */
export function changedBy(t: Texts, { action, detail }: AuditEntry, textOf: (value: string) => string): Changed {
  const turn = TURNS[action];
  if (turn) return { before: t[turn[0]], after: t[turn[1]] };
  const { before, after } = detail;
  if (!isPart(before) && !isPart(after)) {
    const shownOf = (value: unknown) => (typeof value === 'string' ? textOf(value) : null);
    return { before: shownOf(before), after: shownOf(after) };
  }
  // Of what is new or gone its name shows which it was.
  if (!isPart(before) || !isPart(after)) {
    return { before: isPart(before) ? nameOf(before) : null, after: isPart(after) ? nameOf(after) : null };
  }
  const fields = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const listed = (part: Part) => fields.map((name) => fieldText(t, name, part[name])).join(', ') || null;
  return { before: listed(before), after: listed(after) };
}

type Part = Readonly<Record<string, unknown>>;

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null;

const nameOf = ({ name, title, id }: Part) => String(name ?? title ?? id ?? '') || null;

/** A field and what it was, as `multiplier ×1.2`. */
function fieldText(t: Texts, name: string, value: unknown): string {
  const label = (t as Readonly<Record<string, unknown>>)[`field.${name}`];
  return `${typeof label === 'string' ? label : name} ${valueText(name, value)}`;
}

/** Values as they are stored: hundredths, micro-CORD, ms. */
function valueText(name: string, value: unknown): string {
  if (value === null || value === undefined) return '–';
  const number = Number(value);
  if (/Hundredths$/.test(name)) return formatMultiplier(number / 100);
  if (/Micro$/.test(name) && Number.isSafeInteger(number)) return formatExact(number, 6, 2);
  if (/At(Ms)?$/.test(name) && Number.isFinite(number)) return minuteOfYear(new Date(number).toISOString());
  return isPart(value) ? JSON.stringify(value) : String(value);
}
