import * as miningEndpoints from '@cord/contracts/addresses/mining';
import * as rulesEndpoints from '@cord/contracts/addresses/rules';
import type { PublicRules } from '@cord/contracts/http/rules';
import { SAMPLE_NOW_MS } from '@cord/sdk/testing';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { storyIn } from '../testing/story-shell';
import { CHANGED_RULES, FIRST_RULES } from './rules.fixtures';
import { RulesPage } from './rules-page';

const meta = { title: 'Shell/Rules' } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

const shown = (rules: PublicRules, signedIn: boolean): Story =>
  storyIn(
    <RulesPage onBack={signedIn ? () => undefined : null} />,
    ({ sdk }) => {
      const from = new Date(SAMPLE_NOW_MS + 86_400_000).toISOString();
      sdk.api.on(rulesEndpoints.rules, rules).on(miningEndpoints.rate, {
        ...{ rate: 1.925, rateNano: '1925000000', rateUntil: null, nextFactors: null, nextRateNano: null },
        factors: { tier: 3.5, antiCheat: 1, badge: false, epoch: 1.1, epochId: 'beta' },
        serverTime: new Date(SAMPLE_NOW_MS).toISOString(),
        rulesChange: { from, rate: 1.925, nextRate: 2.31 },
      });
    },
    signedIn ? {} : { user: null },
  );

export const SignedOut: Story = {
  ...shown(FIRST_RULES, false),
  parameters: { layout: 'fullscreen' },
  tags: ['w390'],
};

export const ChangeAnnounced: Story = { ...shown(CHANGED_RULES, true), tags: ['w390'] };
