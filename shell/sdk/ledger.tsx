import type { Source } from '@cord/contracts/events/balance';
import type { ComponentType } from 'react';
import { useSdk } from './sdk';

export interface LedgerEntriesProps {
  /** Only entries of these sources; all when left out. */
  sources?: readonly Source[];
  /** Only entries from this moment on, ms since epoch. */
  sinceMs?: number;
}

/** The shell's ledger, lent to the modules. */
export interface LedgerHost {
  /** Opens the whole ledger. */
  open(): void;
  Entries: ComponentType<LedgerEntriesProps>;
}

/** The latest ledger entries behind a number, with the way to all of them: for the popover of "Why this number?". */
export function LedgerEntries(props: LedgerEntriesProps) {
  const { ledger } = useSdk();
  return <ledger.Entries {...props} />;
}
