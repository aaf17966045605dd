import { useTexts, useToasts } from '@cord/sdk';
import { Button, WaitingBadge } from '@cord/ui';
import { Dialog } from '@cord/ui/overlays';
import { useState } from 'react';
import { SupportForm } from './support-form';
import { SUPPORT_TEXTS } from './support-texts';
import { useSupport } from './use-support';

/** Appeals against the network check, one at a time; also a part for the module that shows the check. */
export function Appeal() {
  const t = useTexts(SUPPORT_TEXTS);
  const toasts = useToasts();
  const [open, setOpen] = useState(false);
  const waits = useSupport().data?.some(({ kind, status }) => kind === 'appeal' && status === 'open') ?? false;
  const sent = () => {
    setOpen(false);
    toasts.show({ kind: 'success', title: t.appealSent, text: t.sentText });
  };
  return (
    <>
      {waits ? (
        <WaitingBadge>{t.appealWaits}</WaitingBadge>
      ) : (
        <Button size="sm" onClick={() => setOpen(true)}>
          {t.appeal}
        </Button>
      )}
      <Dialog open={open} onOpenChange={setOpen} title={t.appealTitle} description={t.appealText} width={520}>
        <SupportForm kind="appeal" subject={t.appealSubject} onSent={sent} />
      </Dialog>
    </>
  );
}
