import { useStore } from '@cord/sdk';
import { useShell } from '../app/shell-context';
import { LedgerDialog } from './ledger-dialog';

/** The open ledger in a shell, with its code loaded. */
export function LedgerOnStage() {
  const { opened } = useShell().ledger;
  return <LedgerDialog open={useStore(opened)} onOpenChange={opened.set} />;
}
