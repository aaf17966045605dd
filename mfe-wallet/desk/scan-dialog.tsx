import { formatTime, useTexts } from '@cord/sdk';
import { ButtonLink, formatSol, Row, Spinner, Stack } from '@cord/ui';
import { Dialog, QrCode } from '@cord/ui/overlays';
import { Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Order } from '../orders';
import { TEXTS } from '../texts';
import s from './scan-dialog.module.css';

interface LinkDialogProps {
  link: string;
  onClose: () => void;
}

/** Connects a wallet on a phone through the operator's reflector. */
export function LinkDialog({ link, onClose }: LinkDialogProps) {
  const t = useTexts(TEXTS);
  return <Scan code={link} label={t.scanLinkLabel} testId="scan-to-connect" onClose={onClose} />;
}

/** Pays an order with a wallet on another device: a Solana Pay code of exactly this order. */
export function ScanDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const t = useTexts(TEXTS);
  const link = paymentLink(order);
  const sol = formatSol(order.lamports);
  return (
    <Scan
      code={link}
      label={t.scanPayLabel({ sol })}
      testId="scan-to-pay"
      onClose={onClose}
      footer={
        <ButtonLink href={link} icon={<Wallet />} block>
          {t.openWallet}
        </ButtonLink>
      }
    >
      <p className={s.hint}>{t.payHint({ sol, time: formatTime(Date.parse(order.expiresAt)) })}</p>
      <p className={s.hint}>{t.payOnlyBy}</p>
    </Scan>
  );
}

interface ScanProps {
  /** The text of the code. */
  code: string;
  /** Accessible name of the code. */
  label: string;
  testId: string;
  onClose: () => void;
  footer?: ReactNode;
  /** Content below the code. */
  children?: ReactNode;
}

/** The dialog of a code for a wallet on another device. */
function Scan({ code, label, testId, onClose, footer, children }: ScanProps) {
  const t = useTexts(TEXTS);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t.scanTitle}
      description={t.scanText}
      width={430}
      testId={testId}
      footer={footer}
    >
      <Stack gap={16} align="center">
        <QrCode value={code} label={label} />
        <Row as="p" gap={10} align="center" className="c-2" role="status">
          <Spinner /> {t.waitingForScan}
        </Row>
        {children}
      </Stack>
    </Dialog>
  );
}

const LAMPORTS_DIGITS = 9;

/** The payment as a Solana Pay link: amount, treasury, and the order's reference. */
function paymentLink({ lamports, treasury, reference }: Order): string {
  const digits = String(lamports).padStart(LAMPORTS_DIGITS + 1, '0');
  const rest = digits.slice(-LAMPORTS_DIGITS).replace(/0+$/, '');
  const amount = `${digits.slice(0, -LAMPORTS_DIGITS)}${rest === '' ? '' : `.${rest}`}`;
  return `solana:${treasury}?${new URLSearchParams({ amount, reference, label: 'CORD Badge of Honor' })}`;
}
