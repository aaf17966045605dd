import { baseConfig, schemas } from '@cord/kit/config';

/** What mining reads from the environment: ADDRESS_HASH_KEY and LEDGER_LOG_KEY may be absent in local mode only. */
export const config = baseConfig.extend({
  /** The key that signs the roots of days is made of it; new and former with a comma. Without it there are none. */
  LEDGER_LOG_KEY: schemas.LEDGER_LOG_KEY,
  /** With both, checkpoints of the log are written to Solana. */
  LEDGER_MEMO_KEY: schemas.LEDGER_MEMO_KEY,
  SOLANA_RPC_URL: schemas.SOLANA_RPC_URL,
  /** Witnesses that sign checkpoints of the log. */
  LEDGER_WITNESSES: schemas.LEDGER_WITNESSES,
});
