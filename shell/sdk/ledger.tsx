import type { Source } from '@cord/contracts/events/balance';
import type { ComponentType } from 'react';
import { useSdk } from './sdk';

export interface LedgerEntriesProps {
  /** Sources of the entries; all when omitted. */
  sources?: readonly Source[];
  /** Time of the oldest entry, ms since epoch. */
  sinceMs?: number;
}

/** The shell's ledger, for the modules. */
export interface LedgerHost {
  /** Opens the full ledger. */
  open(): void;
  Entries: ComponentType<LedgerEntriesProps>;
}

/** Shows the latest ledger entries behind a number, with a link to all of them: for the popover "Why this number?". */
export function LedgerEntries(props: LedgerEntriesProps) {
  const { ledger } = useSdk();
  return <ledger.Entries {...props} />;
}
