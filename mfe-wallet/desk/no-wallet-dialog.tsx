import { useTexts } from '@cord/sdk';
import { Button, ButtonLink } from '@cord/ui';
import { Dialog } from '@cord/ui/overlays';
import { ExternalLink, Wallet } from 'lucide-react';
import { TEXTS } from '../texts';

/** Where wallets for phones are listed, by the makers of their protocol. */
const WALLETS_URL = 'https://solanamobile.com/wallets';

interface NoWalletDialogProps {
  /** This browser cannot reach any wallet app; then none is offered. */
  incompatible: boolean;
  onClose: () => void;
}

/** The wallet error dialog with its two messages. */
export function NoWalletDialog({ incompatible, onClose }: NoWalletDialogProps) {
  const t = useTexts(TEXTS);
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      mark={<Wallet size={24} aria-hidden="true" />}
      title={t.notFoundTitle}
      description={incompatible ? t.incompatibleText : t.notFoundText}
      testId="no-wallet"
      footer={
        <>
          <Button variant={incompatible ? 'secondary' : 'ghost'} onClick={onClose}>
            {t.close}
          </Button>
          {!incompatible && (
            <ButtonLink
              variant="primary"
              href={WALLETS_URL}
              external
              trailingIcon={<ExternalLink aria-hidden="true" />}
            >
              {t.findWallet}
            </ButtonLink>
          )}
        </>
      }
    />
  );
}
