import { CARD, cardLanguage, downloadedCardPath, inviteCardPath, sharedLink } from '@cord/contracts/drawing/card';
import { useMediaQuery, useTexts } from '@cord/sdk';
import { Button, ButtonLink, Card, CopyField, QrCode } from '@cord/ui';
import { Download, Image as ImageIcon, QrCode as QrIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import s from './own-code.module.css';
import { ShareButtons } from './share-buttons';
import { TEXTS } from './texts';

/** The link that carries a code (interface.md, Addresses), in the language that its page and its card are to speak. */
export function useReferralLink(code: string): string {
  const t = useTexts(TEXTS);
  return sharedLink(`${location.origin}/?ref=${encodeURIComponent(code)}`, cardLanguage(t.cardLanguage));
}

/** The own code with its link, its QR code, its card, and the ways to share it. */
export function OwnCode({ code }: { code: string }) {
  const t = useTexts(TEXTS);
  const [qr, setQr] = useState(false);
  const [card, setCard] = useState(false);
  const link = useReferralLink(code);
  return (
    <Card title={t.yourCode}>
      <div className={s.body}>
        <p className={s.code}>{code}</p>
        <CopyField label={t.linkLabel} value={link} look="beside" copyText={t.copyLink} copiedText={t.copied} />
        <ShareButtons url={link} text={t.shareText} />
        <div className={s.toggles}>
          <Toggle icon={<QrIcon aria-hidden="true" />} open={qr} onToggle={setQr}>
            {qr ? t.hideQr : t.showQr}
          </Toggle>
          <Toggle icon={<ImageIcon aria-hidden="true" />} open={card} onToggle={setCard}>
            {card ? t.hideCard : t.showCard}
          </Toggle>
        </div>
        {qr && <QrCode value={link} label={t.qrLabel({ link })} size={180} />}
        {card && <SharedCard code={code} />}
      </div>
    </Card>
  );
}

/** The card that the link is shown with, and its picture for who wants to send that. */
function SharedCard({ code }: { code: string }) {
  const t = useTexts(TEXTS);
  const isDeviceDark = useMediaQuery('(prefers-color-scheme: dark)');
  const path = inviteCardPath(code, cardLanguage(t.cardLanguage));
  return (
    <>
      <img
        src={path}
        alt={t.cardAlt({ code })}
        width={CARD.width}
        height={CARD.height}
        loading="lazy"
        className={s.card}
      />
      <ButtonLink
        href={downloadedCardPath(path, document.documentElement.dataset.theme, isDeviceDark)}
        download={`cord-${code}.png`}
        variant="ghost"
        size="sm"
        className={s.download}
        icon={<Download aria-hidden="true" />}
      >
        {t.downloadCard}
      </ButtonLink>
    </>
  );
}

interface ToggleProps {
  icon: ReactNode;
  open: boolean;
  onToggle: (open: boolean) => void;
  children: ReactNode;
}

/** Opens what stands below, and closes it. */
function Toggle({ icon, open, onToggle, children }: ToggleProps) {
  return (
    <Button variant="ghost" size="sm" icon={icon} aria-expanded={open} onClick={() => onToggle(!open)}>
      {children}
    </Button>
  );
}
