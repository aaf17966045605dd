import type { RuleChanges } from '@cord/contracts/http/rules';
import type { AuditEntry } from '@cord/contracts/http/support';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import type { TextsOf } from '@cord/sdk';
import { formatExact, formatMultiplier } from '@cord/ui';
import { minuteOfYear } from '../room/moments';
import { textOr } from '../room/texts';
import { changesOf, valuesOf } from '../rules/numbers';
import type { TEXTS as RULES_TEXTS } from '../rules/texts';
import type { TEXTS } from './texts';

type Texts = TextsOf<typeof TEXTS>;
type RulesTexts = TextsOf<typeof RULES_TEXTS>;

/** The values before and after an act, as far as the entry has them. */
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

/** Acts whose values before and after are always the same. */
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

/** @param textOf returns the text of a value that the entry has as a code */
export function changedBy(
  t: Texts,
  rules: RulesTexts,
  { action, detail }: AuditEntry,
  textOf: (value: string) => string,
): Changed {
  const turn = TURNS[action];
  if (turn) return { before: t[turn[0]], after: t[turn[1]] };
  const { before, after } = detail;
  if (!isPart(before) && !isPart(after)) {
    const shownOf = (value: unknown) => (typeof value === 'string' ? textOf(value) : null);
    return { before: shownOf(before), after: shownOf(after) };
  }
  // A created or deleted thing is shown by its name; proposed rules have none.
  if (!isPart(before) || !isPart(after)) {
    const shownOf = (part: Part) => (isPart(part.changes) ? proposedText(t, rules, part) : nameOf(part));
    return { before: isPart(before) ? shownOf(before) : null, after: isPart(after) ? shownOf(after) : null };
  }
  if (isBook(before.book) && isBook(after.book)) {
    const changes = changesOf(before.book, after.book, rules);
    const listed = (side: 'before' | 'after') => changes.map((change) => `${change.what} ${change[side]}`).join(', ');
    if (changes.length > 0)
      return { before: listed('before'), after: `${listed('after')}, ${beginsText(t, after.book.fromMs)}` };
  }
  const fields = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const listed = (part: Part) => fields.map((name) => fieldText(t, name, part[name])).join(', ') || null;
  return { before: listed(before), after: listed(after) };
}

type Part = Readonly<Record<string, unknown>>;

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null;

const nameOf = ({ name, title, id, version }: Part) => String(name ?? title ?? id ?? version ?? '') || null;

const isBook = (value: unknown): value is RuleBook => isPart(value) && Array.isArray(value.tiers);

/** When rules take effect. */
const beginsText = (t: Texts, fromMs: unknown) => `${t['field.startAt']} ${valueText('fromMs', fromMs)}`;

function proposedText(t: Texts, rules: RulesTexts, { changes, fromMs }: Part): string {
  return [...valuesOf(changes as RuleChanges, rules), beginsText(t, fromMs)].join(', ');
}

/** A field with its value, such as `multiplier ×1.2`. */
function fieldText(t: Texts, name: string, value: unknown): string {
  return `${textOr(t, `field.${name}`, name)} ${valueText(name, value)}`;
}

/** The text of a stored value: hundredths, micro-CORD or ms. */
export function valueText(name: string, value: unknown): string {
  if (value === null || value === undefined) return '–';
  const number = Number(value);
  if (/Hundredths$/.test(name)) return formatMultiplier(number / 100);
  if (/Micro$/.test(name) && Number.isSafeInteger(number)) return formatExact(number, 6, 2);
  if (/(At(Ms)?|^fromMs)$/.test(name) && Number.isFinite(number)) return minuteOfYear(new Date(number).toISOString());
  return isPart(value) ? (nameOf(value) ?? JSON.stringify(value)) : String(value);
}
