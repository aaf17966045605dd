import { baseConfig } from '@cord/kit/config';

/** Referrals needs only the base config of every service. */
export const config = baseConfig;
