import { useStore } from '@cord/sdk';
import { useShell } from '../app/shell-context';
import { LedgerDialog } from './ledger-dialog';

/** The ledger as the shell holds it open, with its code here already. */
export function LedgerOnStage() {
  const { opened } = useShell().ledger;
  return <LedgerDialog open={useStore(opened)} onOpenChange={opened.set} />;
}
