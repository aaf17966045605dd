import { baseConfig, schemas } from '@cord/kit/config';

/** Environment variables of mining. ADDRESS_HASH_KEY and LEDGER_LOG_KEY may be absent in local mode only. */
export const config = baseConfig.extend({
  /** The key that signs the roots of days is derived from it; new and former, comma-separated. Without it, no roots. */
  LEDGER_LOG_KEY: schemas.LEDGER_LOG_KEY,
  /** With both set, checkpoints of the log are written to Solana. */
  LEDGER_MEMO_KEY: schemas.LEDGER_MEMO_KEY,
  SOLANA_RPC_URL: schemas.SOLANA_RPC_URL,
  /** Witnesses that cosign checkpoints of the log. */
  LEDGER_WITNESSES: schemas.LEDGER_WITNESSES,
});
