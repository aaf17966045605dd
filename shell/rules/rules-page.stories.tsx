import * as miningEndpoints from '@cord/contracts/addresses/mining';
import * as rulesEndpoints from '@cord/contracts/addresses/rules';
import type { PublicRules } from '@cord/contracts/http/rules';
import { SAMPLE_NOW_MS } from '@cord/sdk/testing';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { createStoryShell, StoryShell } from '../testing/story-shell';
import { CHANGED_RULES, FIRST_RULES } from './rules.fixtures';
import { RulesPage } from './rules-page';

const meta = { title: 'Shell/Rules' } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

function Shown({ rules, signedIn }: { rules: PublicRules; signedIn: boolean }) {
  const prepare = () => {
    const shell = createStoryShell(signedIn ? {} : { user: null });
    const from = new Date(SAMPLE_NOW_MS + 86_400_000).toISOString();
    shell.sdk.api.on(rulesEndpoints.rules, rules).on(miningEndpoints.rate, {
      ...{ rate: 1.925, rateNano: '1925000000', rateUntil: null, nextFactors: null, nextRateNano: null },
      factors: { tier: 3.5, antiCheat: 1, badge: false, epoch: 1.1, epochId: 'beta' },
      serverTime: new Date(SAMPLE_NOW_MS).toISOString(),
      rulesChange: { from, rate: 1.925, nextRate: 2.31 },
    });
    return shell;
  };
  return (
    <StoryShell prepare={prepare}>
      <RulesPage onBack={signedIn ? () => undefined : null} />
    </StoryShell>
  );
}

export const SignedOut: Story = {
  render: () => <Shown rules={FIRST_RULES} signedIn={false} />,
  parameters: { layout: 'fullscreen' },
  tags: ['w390'],
};

export const ChangeAnnounced: Story = { render: () => <Shown rules={CHANGED_RULES} signedIn />, tags: ['w390'] };
