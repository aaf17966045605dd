import { baseConfig, isLocalMode, loadConfig, schemas } from '@cord/kit/config';
import type { z } from 'zod';

const schema = baseConfig
  .pick({ NODE_ENV: true, HOST: true, PORT: true, CORD_DATA: true, DISCORD_CLIENT_ID: true, LOG_LEVEL: true })
  .extend({ SOLANA_TREASURY: schemas.SOLANA_TREASURY.unwrap(), SOLANA_FUNDED: schemas.SOLANA_FUNDED });

/** @throws Error outside local mode, where payments go to a real cluster (infra/README.md#local-mode) */
export function readConfig(env: NodeJS.ProcessEnv): z.output<typeof schema> {
  const config = loadConfig(schema, env);
  if (!isLocalMode(config)) throw new Error('the Solana runtime runs in local mode only');
  return config;
}
