import type { PublicRules } from '@cord/contracts/http/rules';
import { at, SAMPLE_NOW_MS } from '@cord/sdk/testing';
import type { StoryObj } from 'storybook-react-rsbuild';
import { storyIn } from '../testing/story-shell';
import { CHANGED_RULES, FIRST_RULES } from './rules.fixtures';
import { RulesPage } from './rules-page';

export default { title: 'Shell/Rules' };

const shown = (rules: PublicRules, signedIn: boolean): StoryObj =>
  storyIn(
    <RulesPage onBack={signedIn ? () => undefined : null} />,
    ({ sdk }) => {
      const from = new Date(SAMPLE_NOW_MS + 86_400_000).toISOString();
      sdk.api.on(at.rules.rules, rules).on(at.mining.rate, {
        ...{ rate: 1.925, rateNano: '1925000000', rateUntil: null, nextFactors: null, nextRateNano: null },
        factors: { tier: 3.5, antiCheat: 1, badge: false, epoch: 1.1, epochId: 'beta' },
        serverTime: new Date(SAMPLE_NOW_MS).toISOString(),
        rulesChange: { from, rate: 1.925, nextRate: 2.31 },
      });
    },
    signedIn ? {} : { user: null },
  );

export const SignedOut: StoryObj = {
  ...shown(FIRST_RULES, false),
  parameters: { layout: 'fullscreen' },
  tags: ['w390'],
};

export const ChangeAnnounced: StoryObj = { ...shown(CHANGED_RULES, true), tags: ['w390'] };
