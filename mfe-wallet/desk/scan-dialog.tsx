import { dateFormat, useTexts } from '@cord/sdk';
import { ButtonLink, Dialog, formatSol, QrCode, Spinner } from '@cord/ui';
import { Wallet } from 'lucide-react';
import type { Order } from '../orders';
import { TEXTS } from '../texts';
import { paymentLink } from './payment-link';
import s from './scan-dialog.module.css';

const clockFace = dateFormat({ hour: '2-digit', minute: '2-digit' });

interface LinkDialogProps {
  link: string;
  onClose: () => void;
}

/** Connecting a wallet on a phone by the operator's reflector (decisions, Interface). */
export function LinkDialog({ link, onClose }: LinkDialogProps) {
  const t = useTexts(TEXTS);
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t.scanTitle}
      description={t.scanText}
      width={430}
      testId="scan-to-connect"
    >
      <div className={s.body}>
        <QrCode value={link} label={t.scanLinkLabel} />
        <Waiting />
      </div>
    </Dialog>
  );
}

function Waiting() {
  const t = useTexts(TEXTS);
  return (
    <p className={s.waiting} role="status">
      <Spinner /> {t.waitingForScan}
    </p>
  );
}

/** Paying an order with a wallet elsewhere: a Solana Pay code of exactly this order (decisions, Interface). */
export function ScanDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const t = useTexts(TEXTS);
  const link = paymentLink(order);
  const sol = formatSol(order.lamports);
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t.scanTitle}
      description={t.scanText}
      width={430}
      testId="scan-to-pay"
      footer={
        <ButtonLink href={link} icon={<Wallet aria-hidden="true" />} block>
          {t.openWallet}
        </ButtonLink>
      }
    >
      <div className={s.body}>
        <QrCode value={link} label={t.scanPayLabel({ sol })} />
        <Waiting />
        <p className={s.hint}>{t.payHint({ sol, time: clockFace.format(Date.parse(order.expiresAt)) })}</p>
      </div>
    </Dialog>
  );
}
