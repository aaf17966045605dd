/** The share cards (the visual language, Share card): pictures of 1200 x 630 that a shared link is shown with. */

/** px. */
export const CARD = { width: 1200, height: 630, safe: 56 } as const;

/** Characters of a name on a card; a longer one ends in an ellipsis. */
export const CARD_NAME_MAX = 22;

/** How long a card may be shown as it was drawn, s. */
export const CARD_KEPT_S = 600;

/** Where the card of an invitation is. @param code normalised */
export function inviteCardPath(code: string): string {
  return `/share/${code}.png`;
}

/** Where the card of a miner's all-time rank is. @param userId the public id */
export function rankCardPath(userId: string): string {
  return `/share/rank/${userId}.png`;
}

/** What stands on the cards and is read aloud in their place. */
export const CARD_TEXTS = {
  invitation: 'You are invited to CORD',
  miner: 'A miner on CORD',
  invites: 'invites you',
  claim: 'Run a simulated mining node and earn CORD.',
  code: 'Code',
  bonus: 'You get 10% on top of your welcome credit.',
  rank: {
    'all-time': 'Rank, all time',
    monthly: 'Rank, this month',
    weekly: 'Rank, this week',
    daily: 'Rank, today',
  },
  unranked: 'Unranked',
  /** In the place of a name that cannot be drawn. */
  someone: 'A miner',
  earned: 'CORD earned',
} as const;
