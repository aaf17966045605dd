import { at, SAMPLE_NOW_MS, sampleMining, sampleUser } from '@cord/sdk/testing';
import type { StoryObj } from 'storybook-react-rsbuild';
import { writeLastSeen } from '../session/last-seen';
import { storyIn } from '../testing/story-shell';
import { WelcomePopup } from './welcome-popup';

export default { title: 'Shell/Welcome popup', parameters: { layout: 'fullscreen' } };

const RETURNING = { isNewUser: false, credited: 0, referralBonus: null, pending: false };

function popup(welcome: typeof RETURNING | NewcomerFacts, node: ReturnType<typeof sampleMining> | null): StoryObj {
  return storyIn(
    <WelcomePopup />,
    ({ sdk }) => {
      if (!welcome.isNewUser) {
        writeLastSeen({ userId: sampleUser().id, micro: 47_289_570_000n, atMs: SAMPLE_NOW_MS - 9 * 3_600_000 });
      }
      sdk.api.on(at.mining.current, node);
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

export const NewMiner: StoryObj = popup({ isNewUser: true, credited: 870, referralBonus: 87, pending: false }, null);
export const CreditOnItsWay: StoryObj = popup(
  { isNewUser: true, credited: 0, referralBonus: null, pending: true },
  null,
);
export const BackWithNodePaused: StoryObj = popup(RETURNING, sampleMining({ status: 'paused' }));
export const BackWithNodeOnline: StoryObj = popup(RETURNING, sampleMining());
export const BackWithNodeOffline: StoryObj = popup(RETURNING, null);
