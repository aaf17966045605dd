import { useTexts } from '@cord/sdk';
import { Button, Card, CopyField, QrCode } from '@cord/ui';
import { QrCode as QrIcon } from 'lucide-react';
import { useState } from 'react';
import s from './own-code.module.css';
import { ShareButtons } from './share-buttons';
import { TEXTS } from './texts';

/** The link that carries a code (interface.md, Addresses). */
export function referralLink(code: string): string {
  return `${location.origin}/?ref=${encodeURIComponent(code)}`;
}

/** The own code with its link, its QR code, and the ways to share it. */
export function OwnCode({ code }: { code: string }) {
  const t = useTexts(TEXTS);
  const [qr, setQr] = useState(false);
  const link = referralLink(code);
  return (
    <Card title={t.yourCode}>
      <div className={s.body}>
        <p className={s.code}>{code}</p>
        <CopyField label={t.linkLabel} value={link} look="beside" copyText={t.copyLink} copiedText={t.copied} />
        <ShareButtons url={link} text={t.shareText} />
        <Button
          variant="ghost"
          size="sm"
          icon={<QrIcon aria-hidden="true" />}
          aria-expanded={qr}
          className={s.toggle}
          onClick={() => setQr(!qr)}
        >
          {qr ? t.hideQr : t.showQr}
        </Button>
        {qr && <QrCode value={link} label={t.qrLabel({ link })} size={180} />}
      </div>
    </Card>
  );
}
