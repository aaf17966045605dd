import { baseConfig } from '@cord/kit/config';

/** What mining reads from the environment: ADDRESS_HASH_KEY of it may be absent in local mode only. */
export const config = baseConfig;
