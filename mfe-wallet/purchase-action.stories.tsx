import type { StoryObj } from 'storybook-react-rsbuild';
import { PurchaseAction } from './purchase-button';
import { IDLE, nextPurchase, type PurchaseEvent } from './purchase-machine';

export default { title: 'Wallet/Purchase button' };

const EVENTS: readonly PurchaseEvent[] = [
  { kind: 'ended' },
  { kind: 'begun' },
  { kind: 'proven' },
  { kind: 'failed', failure: null },
];

/** What each event of a purchase makes of the button. */
export const States: StoryObj = {
  render: () => (
    <div style={{ display: 'flex', flexWrap: 'wrap', gap: 16 }}>
      {EVENTS.map((event) => (
        <PurchaseAction
          key={event.kind}
          state={nextPurchase(IDLE, event).state}
          idleText="Purchase Badge"
          onClick={() => undefined}
        />
      ))}
    </div>
  ),
};
