import { LedgerEntries } from '@cord/sdk';
import { at, problem } from '@cord/sdk/testing';
import { WhyNumber } from '@cord/ui';
import { expect, screen, userEvent, waitFor } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { storyIn } from '../testing/story-shell';
import type { TestShell } from '../testing/test-shell';
import { EMPTY_PAGE, entry, FIRST_PAGE, LAST_PAGE } from './ledger.fixtures';
import { LedgerOnStage } from './ledger.stage';

export default { title: 'Shell/Ledger' };

function opened(change: (shell: TestShell) => void): StoryObj {
  return storyIn(<LedgerOnStage />, (shell) => {
    shell.sdk.api.on(at.mining.ledger, ({ query }) => (query?.cursor === '5' ? LAST_PAGE : FIRST_PAGE));
    change(shell);
    shell.ledger.open();
  });
}

export const Entries: StoryObj = opened(() => undefined);

export const ToTheFirst: StoryObj = {
  ...opened(() => undefined),
  play: async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Show earlier entries' }));
    await screen.findByText('Welcome bonus');
  },
};

export const LongestAndBiggest: StoryObj = {
  ...opened(({ sdk }) =>
    sdk.api.on(at.mining.ledger, {
      entries: [
        entry(3, 1, {
          amount: 9_999_999.999999,
          balance: 999_999_999.99,
          source: 'task',
          reason: 'Follow, share and comment on every one of the announcements of the last month, with pictures',
        }),
        entry(2, 2, { source: 'of-a-newer-release', amount: 0.000001, reason: '' }),
      ],
      open: 999_999.5,
      nextCursor: null,
    }),
  ),
  tags: ['w320'],
};

export const Loading: StoryObj = opened(({ sdk }) => sdk.api.hang(at.mining.ledger));
export const Empty: StoryObj = opened(({ sdk }) => sdk.api.on(at.mining.ledger, EMPTY_PAGE));
export const Failed: StoryObj = opened(({ sdk }) => sdk.api.fail(at.mining.ledger, problem(500, 'down')));

const withFirstPage = (content: React.ReactNode): StoryObj =>
  storyIn(content, ({ sdk }) => sdk.api.on(at.mining.ledger, FIRST_PAGE));

/** Opens the full ledger from a popover, which closes. */
export const FromANumber: StoryObj = {
  ...withFirstPage(
    <>
      <WhyNumber about="Balance" formula="Every entry of your ledger added up.">
        <LedgerEntries />
      </WhyNumber>
      <LedgerOnStage />
    </>,
  ),
  play: async ({ canvas }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Why this number? Balance' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Open the ledger' }));
    await screen.findByRole('dialog', { name: 'Ledger' });
    await waitFor(() => expect(screen.queryByText('The entries behind it')).toBeNull());
  },
};

export const BehindANumber: StoryObj = {
  ...withFirstPage(
    <WhyNumber
      about="This week"
      formula="Mining, tasks, check-ins and commission since Monday, 00:00 UTC."
      inputs={[{ label: 'Total earned', value: '48,213.57' }]}
    >
      <LedgerEntries sources={['checkin', 'task']} />
    </WhyNumber>,
  ),
  play: async ({ canvas }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Why this number? This week' }));
    await screen.findByText('Run your node for an hour');
  },
};
