import type { Manifest } from './manifest.js';

export const leaderboard = {
  streams: { CORD_RANKS: ['ranks'] },
  consumes: [],
  readsWhole: ['CORD_BALANCE', 'CORD_USERS', 'CORD_REWARDS'],
  asks: [],
  answers: ['export.leaderboard', 'rank.get', 'rank.card'],
  tells: ['stats'],
  hears: ['presence'],
} as const satisfies Manifest;
