import { baseConfig } from '@cord/kit/config';

/** Leaderboard reads nothing beside what every service reads. */
export const config = baseConfig;
