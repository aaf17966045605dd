import { baseConfig, secret } from '@cord/kit/config';

/** What mining reads from the environment, beside what every service does. */
export const config = baseConfig.extend({
  /** Key of address hashes, the same as auth's; without it (local mode only) sessions carry no address. */
  ADDRESS_HASH_KEY: secret().optional(),
});
