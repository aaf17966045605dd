import * as noticesEndpoints from '@cord/contracts/addresses/notices';
import { problem, SAMPLE_NOW_MS, sampleUser, translate } from '@cord/sdk/testing';
import { expect, screen, userEvent, within } from 'storybook/test';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { LANGUAGES } from '../languages';
import { expectNoneHidden } from '../testing/not-hidden';
import { sampleNotices } from '../testing/sample-notices';
import { storyIn } from '../testing/story-shell';
import type { TestShell } from '../testing/test-shell';
import { Bell } from './bell';

const meta = { title: 'Shell/Notifications', parameters: { layout: 'fullscreen' } } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

const AT_THE_RIGHT = (
  <div style={{ display: 'flex', justifyContent: 'flex-end', padding: 8 }}>
    <Bell />
  </div>
);

function inbox(change?: (shell: TestShell) => void): Story {
  return {
    ...storyIn(AT_THE_RIGHT, change),
    play: async ({ canvasElement }) => {
      await userEvent.click(await within(canvasElement).findByTestId('notices-unread'));
      const list = await screen.findByTestId('notices');
      // The head begins at the edge, whatever other dialogs have above their titles.
      const above = within(list)
        .getByRole('button', { name: /^Mark all/ })
        .getBoundingClientRect().top;
      expect(above - list.getBoundingClientRect().top).toBeLessThan(24);
      const title = within(list).getByText('Notifications', { selector: '[aria-hidden]' });
      // As large as in the picture, beside what it heads.
      expect(getComputedStyle(title).fontSize).toBe(innerWidth < 360 ? '17px' : '20px');
      expect(title.getBoundingClientRect().bottom).toBeGreaterThan(above);
    },
  };
}

export const Open: Story = { ...inbox(), tags: ['w1440'] };

export const OnAPhone: Story = {
  ...inbox(({ sdk }) =>
    // Without the one of a newer release, which stands last.
    sdk.api.on(noticesEndpoints.list, {
      notices: sampleNotices(SAMPLE_NOW_MS).slice(0, -1),
      unread: 3,
      nextCursor: null,
    }),
  ),
  tags: ['w390'],
};

const narrow = inbox();
export const Narrow: Story = {
  ...narrow,
  tags: ['w320'],
  play: async (context) => {
    await narrow.play?.(context);
    await expectNoneHidden(await screen.findByTestId('notices'));
  },
};

export const NarrowInGerman: Story = {
  ...storyIn(AT_THE_RIGHT, undefined, { user: sampleUser({ locale: 'de' }) }),
  tags: ['w320'],
  beforeEach: () => {
    translate(LANGUAGES);
    return () => translate({}, null);
  },
  play: async ({ canvasElement }) => {
    await userEvent.click(await within(canvasElement).findByTestId('notices-unread'));
    const list = await screen.findByTestId('notices');
    const [title] = await within(list).findAllByText('Mitteilungen', { selector: '[aria-hidden]' });
    await within(list).findByRole('button', { name: 'Alle als gelesen markieren' });
    // Whole: no word of it is broken over lines.
    expect(title?.getBoundingClientRect().height).toBeLessThan(30);
    await expectNoneHidden(list);
  },
};

export const Closed: Story = {
  ...storyIn(AT_THE_RIGHT),
  play: async ({ canvasElement }) => {
    await within(canvasElement).findByRole('button', { name: 'Notifications, 3 unread' });
  },
};

export const Many: Story = {
  ...inbox(({ sdk }) =>
    sdk.api.on(noticesEndpoints.list, {
      notices: sampleNotices(SAMPLE_NOW_MS).map((notice) => ({ ...notice, readAt: null })),
      unread: 41,
      nextCursor: '1-a',
    }),
  ),
  tags: ['w1440'],
};

export const Empty: Story = {
  ...inbox(({ sdk }) => sdk.api.on(noticesEndpoints.list, { notices: [], unread: 0, nextCursor: null })),
  tags: ['w390'],
};

export const Loading: Story = inbox(({ sdk }) => sdk.api.hang(noticesEndpoints.list));

export const Failed: Story = inbox(({ sdk }) => sdk.api.fail(noticesEndpoints.list, problem(500, 'down')));
