import { baseConfig } from '@cord/kit/config';

/** Referrals reads nothing beside what every service reads. */
export const config = baseConfig;
