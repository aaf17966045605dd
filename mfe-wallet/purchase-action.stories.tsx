import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { PurchaseAction } from './purchase-action';

const meta = { title: 'Wallet/Purchase button' } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = {
  render: () => (
    <div style={{ display: 'flex', flexWrap: 'wrap', gap: 16 }}>
      {(['idle', 'processing', 'success', 'error'] as const).map((state) => (
        <PurchaseAction key={state} state={state} idleText="Purchase Badge" onClick={() => undefined} />
      ))}
    </div>
  ),
};
