import { baseConfig } from '@cord/kit/config';

/** Leaderboard needs only the base config of every service. */
export const config = baseConfig;
