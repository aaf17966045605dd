import { cardLanguage, inviteCardPath, sharedLink } from '@cord/contracts/drawing/card';
import { useTexts } from '@cord/sdk';
import { SharedCard } from '@cord/sdk/views';
import { Button, Card, CopyField, Row, Skeleton, Stack, useOverlays } from '@cord/ui';
import { Image as ImageIcon, QrCode as QrIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import s from './own-code.module.css';
import { ShareButtons } from './share-buttons';
import { TEXTS } from './texts';

const QR_PX = 180;

/** Returns the link with a code (infra/README.md#addresses), in the language of its page and card. */
export function useReferralLink(code: string): string {
  const t = useTexts(TEXTS);
  return sharedLink(`${location.origin}/?ref=${encodeURIComponent(code)}`, cardLanguage(t.cardLanguage));
}

/** The user's own code with link, QR code, card, and share buttons. */
export function OwnCode({ code }: { code: string }) {
  const t = useTexts(TEXTS);
  const [qr, setQr] = useState(false);
  const [card, setCard] = useState(false);
  const link = useReferralLink(code);
  const QrCode = useOverlays(qr, () => setQr(false))?.QrCode;
  return (
    <Card title={t.yourCode}>
      <Stack gap={16}>
        <p className={s.code}>{code}</p>
        <CopyField label={t.linkLabel} value={link} look="beside" copyText={t.copyLink} copiedText={t.copied} />
        <ShareButtons url={link} text={t.shareText} />
        <Row gap={8} wrap className={s.toggles}>
          <Toggle icon={<QrIcon />} open={qr} onToggle={setQr}>
            {qr ? t.hideQr : t.showQr}
          </Toggle>
          <Toggle icon={<ImageIcon />} open={card} onToggle={setCard}>
            {card ? t.hideCard : t.showCard}
          </Toggle>
        </Row>
        {qr && QrCode && <QrCode value={link} label={t.qrLabel({ link })} size={QR_PX} />}
        {qr && !QrCode && <Skeleton width={QR_PX} height={QR_PX} />}
        {card && (
          <SharedCard
            path={inviteCardPath(code, cardLanguage(t.cardLanguage))}
            alt={t.cardAlt({ code })}
            file={`cord-${code}.png`}
            download={t.downloadCard}
          />
        )}
      </Stack>
    </Card>
  );
}

interface ToggleProps {
  icon: ReactNode;
  open: boolean;
  onToggle: (open: boolean) => void;
  children: ReactNode;
}

/** Opens and closes the content below. */
function Toggle({ icon, open, onToggle, children }: ToggleProps) {
  return (
    <Button variant="ghost" size="sm" icon={icon} aria-expanded={open} onClick={() => onToggle(!open)}>
      {children}
    </Button>
  );
}
