import { createStore, Lazy, useTexts, type WritableStore } from '@cord/sdk';
import type { LedgerEntriesProps, LedgerHost } from '@cord/sdk/host';
import { TabErrorPanel } from '@cord/ui';
import { LEDGER_ENTRIES } from '../app/bundles';
import { APP_TEXTS } from '../app/texts';

export interface ShellLedger extends LedgerHost {
  /** Whether the ledger is open. */
  opened: WritableStore<boolean>;
}

/** Creates the shell's ledger, which modules share; its code loads on first use. */
export function createLedger(): ShellLedger {
  const opened = createStore(false);
  return { opened, open: () => opened.set(true), Entries };
}

function Entries(props: LedgerEntriesProps) {
  const t = useTexts(APP_TEXTS);
  return (
    <Lazy
      of={LEDGER_ENTRIES}
      part="ledger/entries"
      props={props}
      failed={(again) => <TabErrorPanel compact title={t.ledgerFailed} {...again} />}
    />
  );
}
