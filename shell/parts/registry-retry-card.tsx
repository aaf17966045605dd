import { useTexts } from '@cord/sdk';
import { Card, TabErrorPanel } from '@cord/ui';
import { useRegistry } from '../federation/registry-context';
import { TAB_TEXTS } from '../tabs/texts';

/** Shows what is missing, with a button that reads the registry again. */
export function RegistryRetryCard({ title }: { title: string }) {
  const t = useTexts(TAB_TEXTS);
  const registry = useRegistry();
  return (
    <Card>
      <TabErrorPanel compact title={title} retryText={t.retry} onRetry={() => registry.refresh(0)} />
    </Card>
  );
}
