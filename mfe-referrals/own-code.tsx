import { Button, Card, CopyField, QrCode, ShareButtons } from '@cord/ui';
import { QrCode as QrIcon } from 'lucide-react';
import { useState } from 'react';
import s from './own-code.module.css';
import { TEXTS } from './texts';

/** The link that carries a code (interface.md, Addresses). */
export function referralLink(code: string): string {
  return `${location.origin}/?ref=${encodeURIComponent(code)}`;
}

/** The own code with its link, its QR code, and the ways to share it. */
export function OwnCode({ code }: { code: string }) {
  const [qr, setQr] = useState(false);
  const link = referralLink(code);
  return (
    <Card title={TEXTS.yourCode}>
      <div className={s.body}>
        <p className={s.code}>{code}</p>
        <CopyField
          label={TEXTS.linkLabel}
          value={link}
          look="beside"
          copyText={TEXTS.copyLink}
          copiedText={TEXTS.copied}
        />
        <ShareButtons url={link} text={TEXTS.shareText} label={TEXTS.shareOn} copiedText={TEXTS.copiedForDiscord} />
        <Button
          variant="ghost"
          size="sm"
          icon={<QrIcon aria-hidden="true" />}
          aria-expanded={qr}
          className={s.toggle}
          onClick={() => setQr(!qr)}
        >
          {qr ? TEXTS.hideQr : TEXTS.showQr}
        </Button>
        {qr && <QrCode value={link} label={TEXTS.qrLabel(link)} size={180} />}
      </div>
    </Card>
  );
}
