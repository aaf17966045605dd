import { baseConfig } from '@cord/kit/config';

/** Tasks reads nothing beside what every service reads. */
export const config = baseConfig;
