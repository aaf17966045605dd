import { useStore, useTexts } from '@cord/sdk';
import { TabErrorPanel } from '@cord/ui';
import { Dialog } from '@cord/ui/overlays';
import { TEXTS } from '../texts';
import type { Desk } from './desk';

/** In the place of a dialog of the desk that threw, while one is to be shown. Closed, it ends what was requested, so that it can be requested again. */
export function DeskBroken({ desk, retry }: { desk: Desk; retry: () => void }) {
  const t = useTexts(TEXTS);
  const { at } = useStore(desk.shown);
  const close = () => {
    desk.close();
    retry();
  };
  return (
    <Dialog open={at !== 'nothing'} onOpenChange={(open) => !open && close()} title={t.wallet}>
      <TabErrorPanel compact title={t.deskBroken} onRetry={retry}>
        {t.deskSafe}
      </TabErrorPanel>
    </Dialog>
  );
}
