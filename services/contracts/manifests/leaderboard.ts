import type { Manifest } from './manifest.js';

export const leaderboard = {
  streams: {},
  consumes: [],
  readsWhole: ['CORD_BALANCE', 'CORD_USERS', 'CORD_REWARDS'],
  asks: [],
  answers: ['export.leaderboard', 'rank.get'],
  tells: ['stats'],
  hears: ['presence'],
} as const satisfies Manifest;
