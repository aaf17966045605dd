import { BADGE_PRICE_LAMPORTS } from '@cord/contracts/rules/bonuses';
import { baseConfig, ConfigError, schemas } from '@cord/kit/config';
import type { z } from 'zod';

/** The environment of rewards, in addition to the base config of every service (infra/dev/ENVIRONMENT.md). */
export const config = baseConfig.extend({
  /**
   * HMAC key for the hashes of used signatures, which are kept for ever. It is derived from TOMBSTONE_KEY by HKDF for
   * this purpose only, so rewards cannot identify erased accounts from auth's tombstones.
   */
  SIGNATURES_KEY: schemas.SIGNATURES_KEY,
  /** Whether the one-time compensation can be claimed. */
  COMPENSATION: schemas.COMPENSATION,
  /** Only accounts that joined before this time may claim it; default: every account. */
  COMPENSATION_UNTIL: schemas.COMPENSATION_UNTIL,
  /** JSON-RPC address of the wallet network, including its API key; requires SOLANA_TREASURY. */
  SOLANA_RPC_URL: schemas.SOLANA_RPC_URL,
  /** Address that receives payments for the badge. */
  SOLANA_TREASURY: schemas.SOLANA_TREASURY,
  /** Price of the Badge of Honor, lamports; an order keeps the price at its creation. */
  BADGE_PRICE_LAMPORTS: schemas.BADGE_PRICE_LAMPORTS.unwrap().default(Number(BADGE_PRICE_LAMPORTS)),
  /** Reflector of the remote mobile wallet protocol, for browsers that are not on the phone. */
  SOLANA_REFLECTOR: schemas.SOLANA_REFLECTOR,
  /** URL of a simple-price API that returns {"solana":{"usd":number}}. */
  SOL_PRICE_URL: schemas.SOL_PRICE_URL,
});
export type Config = z.output<typeof config>;

/**
 * Returns the RPC address and the treasury; null when orders are disabled.
 * @throws ConfigError naming the missing variable: without it, payments of existing orders would no longer be looked up
 */
export function shopOf({
  SOLANA_RPC_URL: rpcUrl,
  SOLANA_TREASURY: treasury,
}: Pick<Config, 'SOLANA_RPC_URL' | 'SOLANA_TREASURY'>): { rpcUrl: string; treasury: string } | null {
  if (rpcUrl && treasury) return { rpcUrl, treasury };
  if (!rpcUrl && !treasury) return null;
  const [variable, other] = rpcUrl ? ['SOLANA_TREASURY', 'SOLANA_RPC_URL'] : ['SOLANA_RPC_URL', 'SOLANA_TREASURY'];
  throw new ConfigError([{ variable, message: `is required with ${other}` }]);
}
