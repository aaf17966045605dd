import { baseConfig, isLocalMode, loadConfig, schemas } from '@cord/kit/config';
import type { z } from 'zod';

const schema = baseConfig
  .pick({
    NODE_ENV: true,
    HOST: true,
    PORT: true,
    PUBLIC_ORIGIN: true,
    CORD_DATA: true,
    DISCORD_CLIENT_ID: true,
    LOG_LEVEL: true,
  })
  .extend({
    DISCORD_CLIENT_SECRET: schemas.DISCORD_CLIENT_SECRET.unwrap(),
    /** Address of this machine's Solana runtime; absent when payments go to a cluster. */
    SOLANA_RUNTIME_URL: schemas.SOLANA_RUNTIME_URL,
  });

export type ConsoleConfig = z.output<typeof schema>;

/** @throws Error outside local mode, where nothing of /dev may run (infra/README.md#local-mode) */
export function readConfig(env: NodeJS.ProcessEnv): ConsoleConfig {
  const config = loadConfig(schema, env);
  if (!isLocalMode(config)) throw new Error('the /dev console runs in local mode only');
  return config;
}
