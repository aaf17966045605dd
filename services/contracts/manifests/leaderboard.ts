import type { Manifest } from './manifest.js';

export const leaderboard = {
  streams: { CORD_RANKS: ['ranks'] },
  requests: ['ledger.rules'],
  answers: ['export.leaderboard', 'rank.get', 'rank.card'],
  liveKinds: ['stats'],
  listensTo: ['presence'],
} as const satisfies Manifest;
