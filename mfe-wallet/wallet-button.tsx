import { COPY_FEEDBACK_MS } from '@cord/contracts/rules/timings';
import { type PartProps, useTexts, useToasts } from '@cord/sdk';
import { Button, Menu, shortenAddress } from '@cord/ui';
import { Copy, LogOut, RefreshCw, Wallet } from 'lucide-react';
import { useEffect } from 'react';
import type { Desk } from './desk/desk';
import { failureText } from './failures';
import type { Front } from './front';
import { TEXTS } from './texts';
import { useFront, useWallet } from './use-front';
import s from './wallet-button.module.css';

/** The wallet button of header and menu, in five states: no wallet, has wallet, connecting, connected, disconnecting. */
export function WalletButton({ size = 'full' }: PartProps) {
  const front = useFront();
  const t = useTexts(TEXTS);
  const toasts = useToasts();
  const { phase, name, address } = useWallet();
  useResume(front);

  const withDesk = (what: (desk: Desk) => Promise<void>) =>
    void front
      .desk()
      .then(what)
      .catch((error: unknown) => {
        const text = failureText(t, error) ?? t.unavailable;
        toasts.show({ kind: 'error', title: t.connect, text, durationMs: ERROR_MS });
      });

  if (phase === 'connected' && address !== null) {
    const short = shortenAddress(address);
    return (
      <Menu trigger={<Face compact={size === 'compact'} label={t.walletMenu({ address: short })} shownText={short} />}>
        {({ MenuItem, MenuRule }) => (
          <>
            <MenuItem icon={<Copy />} onSelect={() => void copy(address)} testId="wallet-copy">
              {t.copyAddress}
            </MenuItem>
            <MenuItem icon={<RefreshCw />} onSelect={() => withDesk((desk) => desk.change())} testId="wallet-change">
              {t.changeWallet}
            </MenuItem>
            <MenuRule />
            <MenuItem
              icon={<LogOut />}
              onSelect={() => withDesk((desk) => desk.disconnect())}
              testId="wallet-disconnect"
            >
              {t.disconnect}
            </MenuItem>
          </>
        )}
      </Menu>
    );
  }

  const busy = phase === 'connecting' ? t.connecting : phase === 'disconnecting' ? t.disconnecting : null;
  const shownText = phase === 'has-wallet' && name !== null ? t.connectNamed({ wallet: name }) : t.connect;
  return (
    <Face
      compact={size === 'compact'}
      label={busy ?? shownText}
      shownText={busy ?? shownText}
      loading={busy !== null}
      needsServer
      onClick={() => withDesk((desk) => desk.connect())}
    />
  );

  async function copy(text: string): Promise<void> {
    // Without a secure context there is no clipboard; with one it may refuse.
    try {
      await navigator.clipboard.writeText(text);
      toasts.show({ kind: 'success', title: t.copied, durationMs: COPY_FEEDBACK_MS });
    } catch {
      toasts.show({ kind: 'error', title: t.copyFailed, text, durationMs: ERROR_MS });
    }
  }
}

const ERROR_MS = 5_000;

interface FaceProps extends React.ComponentProps<'button'> {
  compact: boolean;
  /** For screen readers. */
  label: string;
  /** Visible text, if there is room. */
  shownText: string;
  loading?: boolean;
  needsServer?: boolean;
}

/** The button: icon and text, or only the icon in narrow headers. */
function Face({ compact, label, shownText, loading = false, ...rest }: FaceProps) {
  return (
    <Button
      {...rest}
      className={compact ? s.compact : undefined}
      aria-label={label}
      icon={<Wallet size={compact ? 20 : 18} />}
      loading={loading}
      data-testid="wallet"
    >
      {compact ? null : shownText}
    </Button>
  );
}

/** Reconnects the remembered wallet when the page is idle. */
function useResume(front: Front): void {
  useEffect(() => {
    if (front.wallet.get().phase !== 'has-wallet') return;
    const resume = () =>
      void front.desk().then(
        (desk) => desk.resume(),
        () => undefined,
      );
    if (typeof requestIdleCallback !== 'function') {
      const timer = setTimeout(resume, IDLE_MS);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(resume, { timeout: IDLE_MS * 4 });
    return () => cancelIdleCallback(idle);
  }, [front]);
}

const IDLE_MS = 1_000;
