import { AreaBoundary, createStore, useIsPast, useStore, useTexts, useUserId } from '@cord/sdk';
import { Button, ButtonLink, TabErrorPanel } from '@cord/ui';
import { Dialog } from '@cord/ui/overlays';
import { ExternalLink, Wallet } from 'lucide-react';
import { isInDoubt, isUnderway, useLeadingOrder, useOrder } from '../orders';
import { TEXTS } from '../texts';
import { ConnectDialog } from './connect-dialog';
import type { Desk } from './desk';
import { OrderDialog } from './order-dialog';
import { LinkDialog, ScanDialog } from './scan-dialog';

const NO_LINK = createStore<string | null>(null);

/** The provider of the adapters, and the desk's one dialog. It follows the order also while no page shows it. */
export function DeskHost({ desk }: { desk: Desk }) {
  return (
    <>
      <AreaBoundary place={{ module: 'mfe_wallet', part: 'wallet/chain' }}>
        <Adapters desk={desk} />
      </AreaBoundary>
      <AreaBoundary
        place={{ module: 'mfe_wallet', part: 'wallet/desk' }}
        fallback={({ onRetry }) => <DeskBroken desk={desk} retry={onRetry} />}
      >
        <DeskDialogs desk={desk} />
      </AreaBoundary>
    </>
  );
}

function Adapters({ desk }: { desk: Desk }) {
  return useStore(desk.adapters);
}

function DeskDialogs({ desk }: { desk: Desk }) {
  const userId = useUserId();
  return userId === null ? null : <OfUser desk={desk} />;
}

function OfUser({ desk }: { desk: Desk }) {
  const shown = useStore(desk.shown);
  const watching = shown.at === 'scan';
  const own = useOrder(watching || shown.at === 'order' ? shown.orderId : null, { watching });
  const lead = useLeadingOrder({ watching });
  // While another order is being paid, or after it was, the code would pay a second time.
  const isPaid = lead && (isUnderway(lead) || lead.status === 'confirmed');
  const order = watching && isPaid ? lead : own;
  // A payment after the order's expiry is refunded, also if no response shows the expiry.
  const isOver = useIsPast(watching && order ? order.expiresAt : null);
  const link = useStore(useStore(desk.chain)?.link ?? NO_LINK);
  if (link !== null) return <LinkDialog link={link} onClose={desk.giveUpScan} />;
  if (shown.at === 'choose') return <ConnectDialog desk={desk} {...shown} />;
  if (shown.at === 'no-wallet') return <NoWalletDialog incompatible={shown.incompatible} onClose={desk.close} />;
  if (!order) return null;
  const mayScan = order.status === 'pending' && !isInDoubt(order) && !isOver;
  if (shown.at === 'scan' && mayScan) return <ScanDialog order={order} onClose={desk.close} />;
  if (shown.at === 'order' || shown.at === 'scan') {
    const approving = shown.at === 'order' ? shown.approving : null;
    return <OrderDialog order={order} approving={approving} onClose={desk.close} onRetry={() => void desk.buy()} />;
  }
  return null;
}

/** Replaces a dialog of the desk that threw. Closing it cancels the request, so that it can be started again. */
function DeskBroken({ desk, retry }: { desk: Desk; retry: () => void }) {
  const t = useTexts(TEXTS);
  const { at } = useStore(desk.shown);
  const close = () => {
    desk.close();
    retry();
  };
  return (
    <Dialog open={at !== 'nothing'} onOpenChange={(open) => !open && close()} title={t.wallet}>
      <TabErrorPanel compact title={t.deskBroken} onRetry={retry}>
        {t.deskSafe}
      </TabErrorPanel>
    </Dialog>
  );
}

/** The list of wallets for phones by the makers of the protocol. */
const WALLETS_URL = 'https://solanamobile.com/wallets';

interface NoWalletDialogProps {
  /** This browser cannot reach any wallet app, so none is offered. */
  incompatible: boolean;
  onClose: () => void;
}

/** The wallet error dialog with its two messages. */
function NoWalletDialog({ incompatible, onClose }: NoWalletDialogProps) {
  const t = useTexts(TEXTS);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      mark={<Wallet size={24} />}
      title={t.notFoundTitle}
      description={incompatible ? t.incompatibleText : t.notFoundText}
      testId="no-wallet"
      footer={
        <>
          <Button variant={incompatible ? 'secondary' : 'ghost'} onClick={onClose}>
            {t.close}
          </Button>
          {!incompatible && (
            <ButtonLink variant="primary" href={WALLETS_URL} external trailingIcon={<ExternalLink />}>
              {t.findWallet}
            </ButtonLink>
          )}
        </>
      }
    />
  );
}
