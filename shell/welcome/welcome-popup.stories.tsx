import * as miningEndpoints from '@cord/contracts/addresses/mining';
import { SAMPLE_NOW_MS, sampleMining, sampleUser } from '@cord/sdk/testing';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { writeLastSeen } from '../session/last-seen';
import { storyIn } from '../testing/story-shell';
import { WelcomePopup } from './welcome-popup';

const meta = { title: 'Shell/Welcome popup', parameters: { layout: 'fullscreen' } } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

const RETURNING = { isNewUser: false, credited: 0, referralBonus: null, pending: false };

function popup(welcome: typeof RETURNING | NewcomerFacts, node: ReturnType<typeof sampleMining> | null): Story {
  return storyIn(
    <WelcomePopup />,
    ({ sdk }) => {
      if (!welcome.isNewUser) {
        writeLastSeen({ userId: sampleUser().id, micro: 47_289_570_000n, atMs: SAMPLE_NOW_MS - 9 * 3_600_000 });
      }
      sdk.api.on(miningEndpoints.current, node);
    },
    { welcome },
  );
}

interface NewcomerFacts {
  isNewUser: boolean;
  credited: number;
  referralBonus: number | null;
  pending: boolean;
}

export const NewMiner: Story = popup({ isNewUser: true, credited: 870, referralBonus: 87, pending: false }, null);
export const CreditOnItsWay: Story = popup({ isNewUser: true, credited: 0, referralBonus: null, pending: true }, null);
export const BackWithNodePaused: Story = popup(RETURNING, sampleMining({ status: 'paused' }));
export const BackWithNodeOnline: Story = popup(RETURNING, sampleMining());
export const BackWithNodeOffline: Story = popup(RETURNING, null);
