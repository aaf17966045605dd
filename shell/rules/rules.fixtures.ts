import type { PublicRules } from '@cord/contracts/http/rules';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { SAMPLE_NOW_MS } from '@cord/sdk/testing';

const DAY_MS = 86_400_000;
const FIRST = { ...FIRST_BOOK, announcedAtMs: null, reason: '', sooner: null };
const SECOND = {
  ...FIRST,
  version: 2,
  fromMs: SAMPLE_NOW_MS - 2 * DAY_MS,
  checkinMicro: 48_000_000,
  announcedAtMs: SAMPLE_NOW_MS - 6 * DAY_MS,
  reason: 'Check-ins paid more than they should.',
};
const THIRD = {
  ...SECOND,
  version: 3,
  fromMs: SAMPLE_NOW_MS + DAY_MS,
  baseNano: 600_000_000,
  tiers: [...FIRST_BOOK.tiers.slice(0, 8), { fromYears: 8, hundredths: 900 }, { fromYears: 10, hundredths: 1_000 }],
  announcedAtMs: SAMPLE_NOW_MS,
  reason: 'Mining pays more for everybody, and the highest step comes later.',
  sooner: 'Until then the old rate pays too little by mistake.',
};
const EPOCHS = ['Alpha', 'Beta', 'Gamma'].map((name, n) => ({
  id: name.toLowerCase(),
  name: `Epoch ${name}`,
  description: '',
  multiplierHundredths: 100 + 10 * n,
  startAt: SAMPLE_NOW_MS + (n - 1.5) * 15 * DAY_MS,
  endAt: SAMPLE_NOW_MS + (n - 0.5) * 15 * DAY_MS,
}));

/** Rules of a new system. */
export const FIRST_RULES: PublicRules = { books: [FIRST], epochs: EPOCHS };
/** One change in force, one announced. */
export const CHANGED_RULES: PublicRules = { books: [FIRST, SECOND, THIRD], epochs: EPOCHS };
