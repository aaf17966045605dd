import { useTexts } from '@cord/sdk';
import type { TypedField } from '../room/confirm-panel';
import { TEXTS } from './texts';

/** A signature of 64 bytes in base58. */
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{86,88}$/;

/** A field for a transaction by its signature. */
export function useTransactionField(): TypedField {
  const t = useTexts(TEXTS);
  return {
    label: t.transaction,
    help: t.transactionHelp,
    error: (typed) => (SIGNATURE.test(typed.trim()) ? undefined : t.transactionWrong),
    change: (typed) => ({ what: t.transaction, after: typed.trim() }),
  };
}
