import { createStore, type LedgerEntriesProps, type LedgerHost, type WritableStore } from '@cord/sdk';
import { LEDGER_ENTRIES } from '../app/bundles';
import { LaterBundle } from '../app/later-bundle';

export interface ShellLedger extends LedgerHost {
  /** Whether the ledger is open. */
  opened: WritableStore<boolean>;
}

/** The ledger as the shell shows it and lends it to the modules; its code comes when somebody asks. */
export function createLedger(): ShellLedger {
  const opened = createStore(false);
  return { opened, open: () => opened.set(true), Entries };
}

function Entries(props: LedgerEntriesProps) {
  return <LaterBundle load={LEDGER_ENTRIES} with={props} whenFailed={() => null} />;
}
