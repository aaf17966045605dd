import { createStore, useStore, useTexts } from '@cord/sdk';
import { cx, Notice, Row, Spinner, Stack, uiText, VisuallyHidden } from '@cord/ui';
import { Dialog } from '@cord/ui/overlays';
import { ChevronRight, ExternalLink, QrCode } from 'lucide-react';
import type { WalletOption } from '../chain/chain';
import { failureText } from '../failures';
import { TEXTS } from '../texts';
import s from './connect-dialog.module.css';
import type { Desk } from './desk';

interface ConnectDialogProps {
  desk: Desk;
  /** Whether to offer a code for another device, too. */
  scan: boolean;
  /** The wallet that is connecting. */
  connecting: string | null;
  failure: unknown;
}

/** Known wallets with their makers' pages, offered to users without a wallet. */
const KNOWN = [
  { name: 'Phantom', url: 'https://phantom.com/download' },
  { name: 'Solflare', url: 'https://solflare.com/download' },
  { name: 'Backpack', url: 'https://backpack.app/download' },
] as const;

const NOT_YET = createStore<readonly WalletOption[] | null>(null);

/** Wallet selection: found wallets, wallets to install, and a wallet on another device by a code. */
export function ConnectDialog({ desk, scan, connecting, failure }: ConnectDialogProps) {
  const t = useTexts(TEXTS);
  const wallets = useStore(useStore(desk.chain)?.wallets ?? NOT_YET);
  const reason = failure === null ? null : failureText(t, failure);
  const missing = KNOWN.filter(({ name }) => !wallets?.some((found) => found.name === name));
  return (
    <Dialog open onOpenChange={(open) => !open && desk.close()} title={t.chooseTitle} testId="connect-wallet">
      <Stack gap={16}>
        {reason !== null && <Notice tone="danger" look="inline" title={reason} announce testId="wallet-failure" />}
        {wallets === null ? (
          reason === null && (
            <Row as="p" gap={10} align="center" className={cx('c-2', s.looking)} role="status">
              <Spinner /> {t.looking}
            </Row>
          )
        ) : (
          <Stack as="ul" gap={8}>
            {wallets.map((wallet) => (
              <Found key={wallet.name} wallet={wallet} connecting={connecting} desk={desk} />
            ))}
            {missing.map(({ name, url }) => (
              <li key={name}>
                <a className={s.row} href={url} target="_blank" rel="noopener noreferrer">
                  <Tile name={name} />
                  <span className="l-grow t-600">{name}</span>
                  <span className="t-label">
                    {t.notInstalled}
                    <VisuallyHidden>{uiText('newTab')}</VisuallyHidden>
                  </span>
                  <ExternalLink size={18} />
                </a>
              </li>
            ))}
            {scan && (
              <li>
                <button
                  type="button"
                  className={s.row}
                  aria-disabled={connecting !== null || undefined}
                  onClick={() => desk.choose({ by: 'scan' })}
                >
                  <span className={s.tile}>
                    <QrCode size={20} />
                  </span>
                  <span className="l-grow t-600">{t.otherDevice}</span>
                  <span className="t-label">{t.scanACode}</span>
                  <ChevronRight size={18} />
                </button>
              </li>
            )}
          </Stack>
        )}
        <p className="t-label" role="status">
          {connecting === null ? t.chooseHint : t.approveConnection({ wallet: connecting })}
        </p>
      </Stack>
    </Dialog>
  );
}

function Found({ wallet, connecting, desk }: { wallet: WalletOption; connecting: string | null; desk: Desk }) {
  const t = useTexts(TEXTS);
  const { name, icon } = wallet;
  const isConnecting = connecting === name;
  const press = () => {
    if (connecting === null) desk.choose({ by: 'wallet', name });
  };
  return (
    <li>
      <button
        type="button"
        className={s.row}
        aria-busy={isConnecting || undefined}
        aria-disabled={connecting !== null || undefined}
        onClick={press}
      >
        <img className={s.icon} src={icon} alt="" width={36} height={36} />
        <span className="l-grow t-600">{name}</span>
        <span className="t-label">{isConnecting ? t.connecting : t.detected}</span>
        {isConnecting ? <Spinner /> : <ChevronRight size={18} />}
      </button>
    </li>
  );
}

function Tile({ name }: { name: string }) {
  return (
    <span className={s.tile} aria-hidden="true">
      {name[0]}
    </span>
  );
}
