import { at, problem, SAMPLE_NOW_MS } from '@cord/sdk/testing';
import { act, inFakeTime, settle, settled } from '@cord/sdk/testing/render';
import { browserOf } from '@cord/ui/testing';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { renderInShell } from '../testing/render';
import { sampleNotices } from '../testing/sample-notices';
import { createTestShell, type TestShell } from '../testing/test-shell';
import { Bell, INBOX } from './bell';
import { setOpensByKey } from './open-key';

beforeAll(async () => void (await INBOX.load()));
afterEach(() => {
  setOpensByKey(true);
});

const PAGE = { notices: sampleNotices(SAMPLE_NOW_MS), unread: 3, nextCursor: null };

/** The bell itself requests only the newest notice. */
const isOfBell = (query: unknown) => (query as { limit?: string }).limit === '1';

function show(change: (shell: TestShell) => void = () => undefined) {
  const shell = createTestShell();
  shell.sdk.api.on(at.notices.list, PAGE).on(at.notices.read, { unread: 0 });
  change(shell);
  const view = renderInShell(
    shell,
    <>
      <Bell />
      <input aria-label="Search" />
    </>,
  );
  const bell = () => screen.getByTestId('notices-unread');
  const read = () => shell.sdk.api.callsOf(at.notices.read);
  /** Reads of the list, without those of the bell. */
  const listed = () => shell.sdk.api.callsOf(at.notices.list).filter(({ query }) => !isOfBell(query));
  return { bell, read, listed, ...view };
}

describe('the bell', () => {
  it('shows the unread count and opens the list; closing it marks all as read and returns the focus', async () => {
    const { user, bell, read, listed } = show();
    await screen.findByRole('button', { name: 'Notifications, 3 unread' });
    expect([bell().dataset.value, bell().textContent]).toEqual(['3', '3']);
    await user.click(bell());
    const list = await screen.findByTestId('notices');
    expect(await within(list).findAllByText('New')).toHaveLength(3);
    expect(within(list).getAllByRole('listitem')).toHaveLength(7);
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Your streak ends in 2 h'));
    expect(read()).toEqual([]);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(bell()));
    expect(read().map(({ body }) => body)).toEqual([{ upTo: PAGE.notices[0]?.at }]);
    await waitFor(() =>
      expect([bell().dataset.value, bell().getAttribute('aria-label')]).toEqual(['0', 'Notifications']),
    );
    await user.click(bell());
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Your streak ends in 2 h'));
    await user.keyboard('{Escape}');
    expect(read()).toHaveLength(1);
    const [firstCall] = listed();
    expect(firstCall?.query).toMatchObject({ limit: '20', zone: expect.any(String) });
  });

  it('does not get its old count back from a response that was pending when the list closed', async () => {
    const { shell, user, bell, read } = show();
    await user.click(bell());
    await screen.findAllByText('New');
    const late = shell.sdk.api.hold(at.notices.list);
    const before = shell.sdk.api.callsOf(at.notices.list).length;
    shell.sdk.cache.invalidate([['notices']]);
    await waitFor(() => expect(shell.sdk.api.callsOf(at.notices.list)).toHaveLength(before + 2));
    await user.keyboard('{Escape}');
    expect(read()).toHaveLength(1);
    late.answer(PAGE);
    await settled(shell.sdk);
    expect(bell().dataset.value).toBe('0');
  });

  const RULES = {
    ...{
      id: 'rules-2',
      kind: 'rules' as const,
      tab: 'settings',
      at: new Date(SAMPLE_NOW_MS).toISOString(),
      readAt: null,
    },
    ...{ title: 'The rules change on 30 November, 12:00', text: 'See what changes.' },
  };
  const showRules = () =>
    show(({ sdk }) => void sdk.api.on(at.notices.list, { notices: [RULES], unread: 1, nextCursor: null }));

  it('links a change of the rules to the page that shows it', async () => {
    const { shell, user, bell } = showRules();
    await user.click(bell());
    const link = await screen.findByRole('link', { name: RULES.title });
    expect(link.getAttribute('href')).toBe('/?tab=settings&view=rules');
    await user.click(link);
    expect([shell.tabs.current.get(), shell.tabs.params.get().settings]).toEqual(['settings', { view: 'rules' }]);
    expect(screen.queryByTestId('notices')).toBeNull();
  });

  it('opens the rules from the settings with a history entry, so that Back returns to the settings', async () => {
    const { shell, user, bell } = showRules();
    act(() => shell.tabs.go('settings'));
    await user.click(bell());
    await user.click(await screen.findByRole('link', { name: RULES.title }));
    await waitFor(() => expect(location.search).toBe('?tab=settings&view=rules'));
    history.back();
    await waitFor(() => expect(location.search).toBe('?tab=settings'));
    expect([shell.tabs.current.get(), shell.tabs.params.get().settings]).toEqual(['settings', {}]);
  });

  it('opens with N outside of fields, and not when the key is off', async () => {
    const { user } = show();
    await user.click(screen.getByLabelText('Search'));
    await user.keyboard('n');
    expect(screen.queryByTestId('notices')).toBeNull();
    await user.click(document.body);
    setOpensByKey(false);
    expect(localStorage.getItem('cord.notices-key')).toBe('off');
    await user.keyboard('n');
    setOpensByKey(true);
    expect(localStorage.getItem('cord.notices-key')).toBeNull();
    await user.keyboard('{Alt>}n{/Alt}{Control>}n{/Control}{Meta>}n{/Meta}');
    fireEvent.keyDown(document.body, { key: 'n', repeat: true });
    expect(screen.queryByTestId('notices')).toBeNull();
    expect(screen.getByTestId('notices-unread').getAttribute('aria-expanded')).toBe('false');
    await user.keyboard('n');
    await screen.findByTestId('notices');
    expect(screen.getByTestId('notices-unread').getAttribute('aria-expanded')).toBe('true');
  });

  it.each(['data-confirm', 'role=dialog', 'role=menu'])('does not open with N over %s', async (over) => {
    const { user } = show();
    const [name = '', value = ''] = over.split('=');
    const panel = document.body.appendChild(document.createElement('div'));
    panel.setAttribute(name, value);
    panel.appendChild(document.createElement('button')).focus();
    await user.keyboard('n');
    expect(screen.queryByTestId('notices')).toBeNull();
    panel.remove();
  });

  it('announces new notices once, and shows more than nine as 9+', async () => {
    const { shell, bell } = show();
    await screen.findByRole('button', { name: 'Notifications, 3 unread' });
    expect(document.querySelector('[data-announced]')?.textContent).toBe('');
    shell.sdk.api.on(at.notices.list, { ...PAGE, unread: 12 });
    shell.sdk.cache.invalidate([['notices']]);
    await waitFor(() =>
      expect(document.querySelector('[data-announced]')?.textContent).toBe('Notifications, 12 unread'),
    );
    expect(bell().textContent).toBe('9+');
  });
});

describe('the bell in fake time', () => {
  inFakeTime();

  it('announces what arrives within a minute as one sentence, and nothing that was read meanwhile', async () => {
    const { shell } = show();
    await settle();
    const announced = () => document.querySelector('[data-announced]')?.textContent;
    const are = async (unread: number) => {
      shell.sdk.api.on(at.notices.list, { ...PAGE, unread });
      await act(async () => shell.sdk.cache.invalidate([['notices']]));
      await settle();
    };
    await are(4);
    expect(announced()).toBe('Notifications, 4 unread');
    await are(5);
    await are(6);
    expect(announced()).toBe('Notifications, 4 unread');
    await settle(60_000);
    expect(announced()).toBe('Notifications, 6 unread');
    await are(7);
    await are(5);
    await settle(60_000);
    expect(announced()).toBe('');
    await are(6);
    expect(announced()).toBe('Notifications, 6 unread');
  });
});

describe('the list', () => {
  it('shows Today and Earlier, each notice once with its age, link and state', async () => {
    const now = { id: 'now', kind: 'rank' as const, title: 'You are #9', text: 'All time.', readAt: null };
    const ages = [{ ...now, at: new Date(SAMPLE_NOW_MS - 59_000).toISOString() }, ...PAGE.notices];
    const week = { ...now, id: 'week', at: new Date(SAMPLE_NOW_MS - 6.9 * 86_400_000).toISOString() };
    // The same day of the month before.
    const month = { ...now, id: 'month', at: new Date(SAMPLE_NOW_MS - 31 * 86_400_000).toISOString() };
    const { user, bell, read, shell } = show(({ sdk }) =>
      sdk.api.on(at.notices.list, ({ query }) =>
        (query as { cursor?: string }).cursor
          ? { notices: [PAGE.notices.at(-1)!, week, month], unread: 3, nextCursor: null }
          : { notices: ages, unread: 4, nextCursor: 'next' },
      ),
    );
    await user.click(bell());
    await user.click(await screen.findByRole('button', { name: 'Show earlier' }));
    const list = within(screen.getByTestId('notices'));
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(10));
    const groups = list.getAllByRole('heading', { level: 3 }).map((heading) => [
      heading.textContent,
      ...within(heading.parentElement as HTMLElement)
        .getAllByRole('listitem')
        .map(
          (row) =>
            `${row.querySelector('[data-tone]')?.getAttribute('data-tone')} ${[...row.querySelectorAll('a')].map(({ textContent, search }) => `${textContent} ${search}`).join(', ')} ${row.querySelector('time')?.parentElement?.textContent}`,
        ),
    ]);
    expect(groups).toEqual([
      [
        'Today',
        'plain  nowNew',
        'warn Your streak ends in 2 h ?tab=tasks, Check in ?tab=tasks 4 minNew',
        'sky Epoch Gamma starts at 01:25 ?tab=node 39 minNew',
        'live kofi_b joined with your code ?tab=referrals 3 hNew',
      ],
      [
        'Earlier',
        'warn Your node paused at 14:20 ?tab=node Thu',
        'live Payment confirmed: the Badge of Honor is yours  12 Nov',
        'plain Your appeal has been answered ?tab=settings, Read the reply ?tab=settings 12 Nov',
        'plain  11 Nov',
        'plain  SatNew',
        'plain  21 OctNew',
      ],
    ]);
    const mark = list.getByRole('button', { name: 'Mark all read' });
    await user.click(mark);
    expect(mark.getAttribute('aria-disabled')).toBe('true');
    await user.keyboard('{Escape}');
    expect(read()).toHaveLength(1);
    expect(shell.sdk.reported).toEqual([]);
  });

  it('is navigated with arrows once loaded, and a notice opens its tab', async () => {
    let come = () => {};
    const coming = new Promise<void>((resolve) => {
      come = resolve;
    });
    const { shell, user, bell } = show(({ sdk }) =>
      sdk.api.on(at.notices.list, async ({ query }) => {
        if (!isOfBell(query)) await coming;
        return PAGE;
      }),
    );
    await screen.findByRole('button', { name: 'Notifications, 3 unread' });
    await user.click(bell());
    const list = await screen.findByTestId('notices');
    await waitFor(() => expect(document.activeElement).toBe(list.querySelector('[data-list]')));
    come();
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Your streak ends in 2 h'));
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}{ArrowDown}');
    expect(document.activeElement?.textContent).toBe('kofi_b joined with your code');
    await user.keyboard('{Enter}');
    expect(shell.tabs.current.get()).toBe('referrals');
    await waitFor(() => expect(screen.queryByTestId('notices')).toBeNull());
  });

  it('marks all as read with its button, and rolls back when the server fails', async () => {
    const { shell, user, bell, listed } = show();
    await screen.findByRole('button', { name: 'Notifications, 3 unread' });
    shell.sdk.api.fail(at.notices.read, problem(503, 'down'));
    await user.click(bell());
    await screen.findAllByText('New');
    await user.click(screen.getByRole('button', { name: 'Mark all read' }));
    await waitFor(() => expect(listed()).toHaveLength(2));
    await waitFor(() => expect(bell().dataset.value).toBe('3'));
    expect(shell.sdk.reported).toMatchObject([{ place: { part: 'notices' } }]);
  });

  it('shows that it is empty, or that it could not be loaded, with Retry', async () => {
    const { shell, user, bell } = show(({ sdk }) => sdk.api.fail(at.notices.list, problem(400, 'no')));
    await user.click(bell());
    await screen.findByText('Your notifications could not be loaded');
    shell.sdk.api.on(at.notices.list, { notices: [], unread: 0, nextCursor: null });
    await user.click(screen.getByRole('button', { name: /Retry|Try/ }));
    await screen.findByText('Nothing yet');
  });

  it.each([
    ['a phone', { widthPx: 390, touch: true }, true],
    ['a wide screen that is touched', { widthPx: 1024, touch: true }, true],
    ['a wide screen with keys', { widthPx: 1024 }, false],
  ])('has a close button where there may be no keyboard: %s', async (_what, browser, expected) => {
    browserOf(browser);
    const { user, bell } = show();
    await user.click(bell());
    const list = within(await screen.findByTestId('notices'));
    await list.findByText('Kept for 30 days.');
    const close = list.queryByRole('button', { name: 'Close' });
    expect([close !== null, list.queryByText(/opens this list/) !== null]).toEqual([expected, !expected]);
    if (close === null) return;
    await user.click(close);
    await waitFor(() => expect(screen.queryByTestId('notices')).toBeNull());
  });
});
