import type { PERIODS } from '../rules/days.js';
import type { CardLanguage } from './card.js';

/** Texts drawn on the cards and read aloud in their place. */
export interface CardTexts {
  invitation: string;
  miner: string;
  invites: string;
  claim: string;
  /** Font size in px: the claim has the same room in each language. */
  claimSize: number;
  code: string;
  bonus: string;
  rank: Readonly<Record<(typeof PERIODS)[number], string>>;
  unranked: string;
  /** Replaces a name that cannot be drawn. */
  someone: string;
  earned: string;
  /** The text for a rank "of N miners". `written` is the grouped number. */
  miners(count: number, written: string): string;
  /** @param years with one decimal */
  facts(day: string, years: number, writtenYears: string, multiplier: string): string;
  /** Separators of thousands and decimals. */
  marks: { group: string; decimal: string };
  /** Locale of the dates (BCP 47). */
  locale: string;
}

const ENGLISH: CardTexts = {
  invitation: 'You are invited to CORD',
  miner: 'A miner on CORD',
  invites: 'invites you',
  claim: 'Run a simulated mining node and earn CORD.',
  claimSize: 62,
  code: 'Code',
  bonus: 'You get 10% on top of your welcome credit.',
  rank: {
    'all-time': 'Rank, all time',
    monthly: 'Rank, this month',
    weekly: 'Rank, this week',
    daily: 'Rank, today',
  },
  unranked: 'Unranked',
  someone: 'A miner',
  earned: 'CORD earned',
  miners: (count, written) => `of ${written} ${count === 1 ? 'miner' : 'miners'}`,
  facts: (day, years, writtenYears, multiplier) =>
    `${day}. Account age ${writtenYears} ${years === 1 ? 'year' : 'years'}, multiplier ×${multiplier}.`,
  marks: { group: ',', decimal: '.' },
  locale: 'en-GB',
};

const GERMAN: CardTexts = {
  invitation: 'Du bist zu CORD eingeladen',
  miner: 'Ein Miner bei CORD',
  invites: 'lädt dich ein',
  claim: 'Betreibe einen simulierten Node und verdiene CORD.',
  claimSize: 52,
  code: 'Code',
  bonus: 'Du bekommst 10 % auf deine Willkommensgutschrift.',
  rank: {
    'all-time': 'Rang, insgesamt',
    monthly: 'Rang, dieser Monat',
    weekly: 'Rang, diese Woche',
    daily: 'Rang, heute',
  },
  unranked: 'Ohne Rang',
  someone: 'Ein Miner',
  earned: 'CORD verdient',
  miners: (count, written) => `von ${written} ${count === 1 ? 'Miner' : 'Minern'}`,
  facts: (day, years, writtenYears, multiplier) =>
    `${day}. Kontoalter ${writtenYears} ${years === 1 ? 'Jahr' : 'Jahre'}, Multiplikator ×${multiplier}.`,
  marks: { group: '.', decimal: ',' },
  locale: 'de-DE',
};

/** Texts of the cards, by language. */
export const CARD_TEXTS: Readonly<Record<CardLanguage, CardTexts>> = { en: ENGLISH, de: GERMAN };
