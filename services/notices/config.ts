import { baseConfig } from '@cord/kit/config';

/** Notices reads nothing beside what every service reads. */
export const config = baseConfig;
