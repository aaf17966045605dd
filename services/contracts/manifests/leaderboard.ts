import type { Manifest } from './manifest.js';

export const leaderboard = {
  streams: { CORD_RANKS: ['ranks'] },
  consumes: [],
  readsWhole: ['CORD_BALANCE', 'CORD_USERS', 'CORD_REWARDS'],
  requests: [],
  answers: ['export.leaderboard', 'rank.get', 'rank.card'],
  liveKinds: ['stats'],
  listensTo: ['presence'],
} as const satisfies Manifest;
