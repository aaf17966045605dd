import { useTexts } from '@cord/sdk';
import { Button, ButtonLink, DiscordMark, useCopied, VisuallyHidden } from '@cord/ui';
import { Check, Share2 } from 'lucide-react';
import s from './share-buttons.module.css';
import { TelegramMark, WhatsAppMark, XMark } from './share-marks';
import { TEXTS } from './texts';

interface ShareButtonsProps {
  /** The link that is shared. */
  url: string;
  /** The text that goes with it. */
  text: string;
}

/** The providers' own share pages. Discord has none: its button copies. */
export function shareAddress(provider: 'twitter' | 'telegram' | 'whatsapp', url: string, text: string): string {
  const query = (params: Record<string, string>) => new URLSearchParams(params).toString();
  if (provider === 'twitter') return `https://twitter.com/intent/tweet?${query({ text, url })}`;
  if (provider === 'telegram') return `https://t.me/share/url?${query({ url, text })}`;
  return `https://wa.me/?${query({ text: `${text} ${url}` })}`;
}

/** Twitter, Telegram, WhatsApp, Discord, and the device's own sharing where it has one. */
export function ShareButtons({ url, text }: ShareButtonsProps) {
  const t = useTexts(TEXTS);
  const { state, copy } = useCopied();
  const native = typeof navigator !== 'undefined' && typeof navigator.share === 'function';
  return (
    <div className={s.share}>
      <span className={s.label}>{t.shareOn}</span>
      <ButtonLink href={shareAddress('twitter', url, text)} external icon={<XMark />}>
        Twitter
      </ButtonLink>
      <ButtonLink href={shareAddress('telegram', url, text)} external icon={<TelegramMark />}>
        Telegram
      </ButtonLink>
      <ButtonLink href={shareAddress('whatsapp', url, text)} external icon={<WhatsAppMark />}>
        WhatsApp
      </ButtonLink>
      <Button
        icon={state === 'copied' ? <Check aria-hidden="true" /> : <DiscordMark />}
        onClick={() => copy(`${text} ${url}`)}
      >
        {state === 'copied' ? t.copiedForDiscord : 'Discord'}
      </Button>
      {native && (
        <Button
          icon={<Share2 aria-hidden="true" />}
          // Closing the device's sheet rejects; that is an answer, not a failure.
          onClick={() => navigator.share({ url, text }).catch(() => undefined)}
        >
          {t.shareMore}
        </Button>
      )}
      <VisuallyHidden role="status">
        {state === 'copied' ? t.announceCopied : state === 'failed' ? t.copyRefused : ''}
      </VisuallyHidden>
    </div>
  );
}
