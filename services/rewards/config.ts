import { BADGE_PRICE_LAMPORTS } from '@cord/contracts/rules/bonuses';
import { baseConfig, ConfigError, schemas } from '@cord/kit/config';
import type { z } from 'zod';

/** What rewards reads beside what every service reads (infra/dev/ENVIRONMENT.md). */
export const config = baseConfig.extend({
  /**
   * Keys the hashes under which used signatures stay for ever: what HKDF makes of TOMBSTONE_KEY for this alone, so that rewards
   * cannot find out from auth's tombstones whose account was erased.
   */
  SIGNATURES_KEY: schemas.SIGNATURES_KEY,
  /** Whether the one-time compensation can be claimed. */
  COMPENSATION: schemas.COMPENSATION,
  /** Only accounts that joined before this time may claim it; default: every account. */
  COMPENSATION_UNTIL: schemas.COMPENSATION_UNTIL,
  /** JSON-RPC address of the wallet network, with its key; then SOLANA_TREASURY too. */
  SOLANA_RPC_URL: schemas.SOLANA_RPC_URL,
  /** Address that is paid for the badge. */
  SOLANA_TREASURY: schemas.SOLANA_TREASURY,
  /** Price of the Badge of Honor, lamports; an order keeps the price that it was written with. */
  BADGE_PRICE_LAMPORTS: schemas.BADGE_PRICE_LAMPORTS.unwrap().default(Number(BADGE_PRICE_LAMPORTS)),
  /** Reflector of the remote mobile wallet protocol, for browsers that are not on the phone. */
  SOLANA_REFLECTOR: schemas.SOLANA_REFLECTOR,
  /** A simple-price address that answers {"solana":{"usd":number}}. */
  SOL_PRICE_URL: schemas.SOL_PRICE_URL,
});
export type Config = z.output<typeof config>;

/**
 * Where payments are read and who gets them; null where there are no orders.
 * @throws ConfigError naming the one of the two that is missing: what was ordered before would not be looked for any more
 */
export function shopOf({
  SOLANA_RPC_URL: rpcUrl,
  SOLANA_TREASURY: treasury,
}: Pick<Config, 'SOLANA_RPC_URL' | 'SOLANA_TREASURY'>): { rpcUrl: string; treasury: string } | null {
  if (rpcUrl && treasury) return { rpcUrl, treasury };
  if (!rpcUrl && !treasury) return null;
  const [variable, other] = rpcUrl ? ['SOLANA_TREASURY', 'SOLANA_RPC_URL'] : ['SOLANA_RPC_URL', 'SOLANA_TREASURY'];
  throw new ConfigError([{ variable, message: `is needed with ${other}` }]);
}
