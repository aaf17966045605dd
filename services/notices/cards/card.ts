import type { CardLanguage } from '@cord/contracts/drawing/card';
import type { Scheme } from '@cord/contracts/drawing/colours';
import type { StrandAdds } from '@cord/contracts/drawing/strands';
import type { PERIODS } from '@cord/contracts/rules/days';

/** The public data of a person. */
interface Person {
  name: string;
  /** Contribution of each factor of the public rate, nano-CORD per minute. */
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

/** The content of a card: equal cards give the same picture. */
export type Card = (InviteCard | RankCard) & { scheme: Scheme; language: CardLanguage };
