import { baseConfig } from '@cord/kit/config';

/** Tasks needs only the base config of every service. */
export const config = baseConfig;
