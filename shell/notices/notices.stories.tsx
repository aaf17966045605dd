import { at, problem, SAMPLE_NOW_MS, sampleUser, translate } from '@cord/sdk/testing';
import { expect, screen, userEvent, within } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { LANGUAGES } from '../languages';
import { expectNoneHidden } from '../testing/not-hidden';
import { sampleNotices } from '../testing/sample-notices';
import { storyIn } from '../testing/story-shell';
import type { TestShell } from '../testing/test-shell';
import { Bell } from './bell';

export default { title: 'Shell/Notifications', parameters: { layout: 'fullscreen' } };

const AT_THE_RIGHT = (
  <div style={{ display: 'flex', justifyContent: 'flex-end', padding: 8 }}>
    <Bell />
  </div>
);

function inbox(change?: (shell: TestShell) => void): StoryObj {
  return {
    ...storyIn(AT_THE_RIGHT, change),
    play: async ({ canvas }) => {
      await userEvent.click(await canvas.findByTestId('notices-unread'));
      const list = await screen.findByTestId('notices');
      // The header starts at the edge, unlike that of other dialogs.
      const above = within(list)
        .getByRole('button', { name: /^Mark all/ })
        .getBoundingClientRect().top;
      expect(above - list.getBoundingClientRect().top).toBeLessThan(24);
      const title = within(list).getByText('Notifications', { selector: '[aria-hidden]' });
      // As large as in the picture, beside its list.
      expect(getComputedStyle(title).fontSize).toBe(innerWidth < 360 ? '17px' : '20px');
      expect(title.getBoundingClientRect().bottom).toBeGreaterThan(above);
    },
  };
}

export const Open: StoryObj = { ...inbox(), tags: ['w1440'] };

export const OnAPhone: StoryObj = {
  ...inbox(({ sdk }) =>
    // Without the last notice, which is of a newer release.
    sdk.api.on(at.notices.list, {
      notices: sampleNotices(SAMPLE_NOW_MS).slice(0, -1),
      unread: 3,
      nextCursor: null,
    }),
  ),
  tags: ['w390'],
};

const narrow = inbox();
export const Narrow: StoryObj = {
  ...narrow,
  tags: ['w320'],
  play: async (context) => {
    await narrow.play?.(context);
    await expectNoneHidden(await screen.findByTestId('notices'));
  },
};

export const NarrowInGerman: StoryObj = {
  ...storyIn(AT_THE_RIGHT, undefined, { user: sampleUser({ locale: 'de' }) }),
  tags: ['w320'],
  beforeEach: () => {
    translate(LANGUAGES);
    return () => translate({}, null);
  },
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByTestId('notices-unread'));
    const list = await screen.findByTestId('notices');
    const [title] = await within(list).findAllByText('Mitteilungen', { selector: '[aria-hidden]' });
    await within(list).findByRole('button', { name: 'Alle gelesen' });
    // One line: no word wraps.
    expect(title?.getBoundingClientRect().height).toBeLessThan(30);
    await expectNoneHidden(list);
  },
};

export const Closed: StoryObj = {
  ...storyIn(AT_THE_RIGHT),
  play: async ({ canvas }) => {
    await canvas.findByRole('button', { name: 'Notifications, 3 unread' });
  },
};

export const Many: StoryObj = {
  ...inbox(({ sdk }) =>
    sdk.api.on(at.notices.list, {
      notices: sampleNotices(SAMPLE_NOW_MS).map((notice) => ({ ...notice, readAt: null })),
      unread: 41,
      nextCursor: '1-a',
    }),
  ),
  tags: ['w1440'],
};

export const Empty: StoryObj = {
  ...inbox(({ sdk }) => sdk.api.on(at.notices.list, { notices: [], unread: 0, nextCursor: null })),
  tags: ['w390'],
};

export const Loading: StoryObj = inbox(({ sdk }) => sdk.api.hang(at.notices.list));

export const Failed: StoryObj = inbox(({ sdk }) => sdk.api.fail(at.notices.list, problem(500, 'down')));
