import type { CardLanguage } from '@cord/contracts/drawing/card';
import type { Scheme } from '@cord/contracts/drawing/colours';
import type { StrandAdds } from '@cord/contracts/drawing/strands';
import type { PERIODS } from '@cord/contracts/rules/days';

/** A person as everybody may see them. */
interface Person {
  name: string;
  /** What each factor of the public rate adds, nano-CORD per minute. */
  adds: StrandAdds;
}

export interface InviteCard extends Person {
  kind: 'invite';
  code: string;
}

export interface RankCard extends Person {
  kind: 'rank';
  userId: string;
  period: (typeof PERIODS)[number];
  /** Null while unranked. */
  rank: number | null;
  miners: number;
  earnedMicro: string;
  /** Years, one decimal. */
  accountAge: number;
  multiplierHundredths: number;
  /** UTC date, `2026-11-27`. */
  day: string;
}

/** All that a card shows: two that are equal are one picture. */
export type Card = (InviteCard | RankCard) & { scheme: Scheme; language: CardLanguage };
