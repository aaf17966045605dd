import { Check, Share2 } from 'lucide-react';
import { VisuallyHidden } from '../feedback/VisuallyHidden';
import { DiscordMark, TelegramMark, WhatsAppMark, XMark } from '../identity/BrandMarks';
import { say } from '../words';
import { Button, ButtonLink } from './Button';
import s from './ShareButtons.module.css';
import { useCopied } from './useCopied';

export interface ShareButtonsProps {
  /** The link that is shared. */
  url: string;
  /** The words that go with it. */
  text: string;
  label?: string | undefined;
  /** What Discord's button says after copying. */
  copiedText?: string | undefined;
}

/** The providers' own share pages (spec part 2, Referrals). Discord has none: its button copies. */
export function shareAddress(provider: 'twitter' | 'telegram' | 'whatsapp', url: string, text: string): string {
  const query = (params: Record<string, string>) => new URLSearchParams(params).toString();
  if (provider === 'twitter') return `https://twitter.com/intent/tweet?${query({ text, url })}`;
  if (provider === 'telegram') return `https://t.me/share/url?${query({ url, text })}`;
  return `https://wa.me/?${query({ text: `${text} ${url}` })}`;
}

/** Twitter, Telegram, WhatsApp, Discord, and the device's own sharing where it has one. */
export function ShareButtons({ url, text, label = say('shareOn'), copiedText = say('copied') }: ShareButtonsProps) {
  const { state, copy } = useCopied();
  const native = typeof navigator !== 'undefined' && typeof navigator.share === 'function';
  return (
    <div className={s.share}>
      <span className={s.label}>{label}</span>
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
        {state === 'copied' ? copiedText : 'Discord'}
      </Button>
      {native && (
        <Button
          icon={<Share2 aria-hidden="true" />}
          // Closing the device's sheet rejects; that is an answer, not a failure.
          onClick={() => navigator.share({ url, text }).catch(() => undefined)}
        >
          {say('shareMore')}
        </Button>
      )}
      <VisuallyHidden role="status">
        {state === 'copied' ? say('copiedForDiscord') : state === 'failed' ? say('copyRefused') : ''}
      </VisuallyHidden>
    </div>
  );
}
