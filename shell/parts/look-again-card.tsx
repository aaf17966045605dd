import { useTexts } from '@cord/sdk';
import { Card, TabErrorPanel } from '@cord/ui';
import { useRegistry } from '../federation/registry-context';
import { TAB_TEXTS } from '../tabs/texts';

/** Says what is not there, and asks the registry again when it is told to. */
export function LookAgainCard({ title }: { title: string }) {
  const t = useTexts(TAB_TEXTS);
  const registry = useRegistry();
  return (
    <Card>
      <TabErrorPanel compact title={title} retryText={t.retry} onRetry={() => registry.lookAgain(0)} />
    </Card>
  );
}
