import { LedgerEntries } from '@cord/sdk';
import { at, problem, SAMPLE_NOW_MS, translate } from '@cord/sdk/testing';
import { act } from '@cord/sdk/testing/render';
import { setNumberLocale } from '@cord/ui';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { LEDGER_ENTRIES } from '../app/bundles';
import { BarBalance } from '../header/balance';
import { LANGUAGES } from '../languages';
import { INNER_PARTS } from '../testing/module-parts';
import { renderInShell } from '../testing/render';
import { createTestShell, type TestShell } from '../testing/test-shell';
import type { LedgerEntry } from './entry-view';
import { EMPTY_PAGE, entry, FIRST_PAGE, LAST_PAGE } from './ledger.fixtures';
import { LedgerOnStage } from './ledger.stage';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

beforeAll(async () => void (await LEDGER_ENTRIES.load()));

function show(prepare: (shell: TestShell) => void, ui = <LedgerOnStage />) {
  const shell = createTestShell({ parts: INNER_PARTS });
  shell.sdk.api.on(at.mining.current, null);
  prepare(shell);
  return renderInShell(
    shell,
    <>
      <BarBalance />
      {ui}
    </>,
  );
}

const open = (shell: TestShell) => act(async () => shell.ledger.open());
const pages = (shell: TestShell) =>
  shell.sdk.api.on(at.mining.ledger, ({ query }) => (query?.cursor === '5' ? LAST_PAGE : FIRST_PAGE));

describe('the ledger', () => {
  it('opens with a press on the balance, and shows each entry with reason, amount and balance after it', async () => {
    const { user } = show(pages);
    await user.click(screen.getByRole('button', { name: 'Balance in CORD, open the ledger' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Ledger' }));
    const row = (await dialog.findByText('Daily check-in, day 4 of the streak')).closest('li');
    expect(row?.textContent).toContain('+70.00');
    expect(row?.textContent).toContain('48,008.00 after');
    expect(row?.textContent).toMatch(/Daily check-in, \d\d:03/);
  });

  it('shows each reason in the user’s language, by its source and its task', async () => {
    const task = { ...LAST_PAGE.entries[0], id: `task:mine-1-hour:${'a'.repeat(32)}:1`, source: 'task' } as LedgerEntry;
    const { shell } = show(({ sdk }) => {
      sdk.api
        .on(at.mining.ledger, { ...FIRST_PAGE, entries: [...FIRST_PAGE.entries.slice(0, 2), task] })
        .on(at.tasks.list, [{ id: 'mine-1-hour', title: '1 Stunde Mining' }] as never);
    });
    translate(LANGUAGES, 'de');
    setNumberLocale('de');
    await open(shell);
    expect(await screen.findByText('Mining mit 1,925000 CORD/min')).toBeTruthy();
    expect(screen.getByText('Täglicher Check-in, Tag 4 der Serie')).toBeTruthy();
    expect(await screen.findByText('1 Stunde Mining')).toBeTruthy();
    translate({}, null);
    setNumberLocale('en-GB');
  });

  it.each([
    [
      'en',
      ['Joined with a friend’s code', 'Invited by a friend'],
      ['A friend ran a node for ten minutes', 'Referral bonus'],
    ],
    [
      'de',
      ['Mit dem Code eines Freundes dabei', 'Eingeladen von einem Freund'],
      ['Der Node eines Freundes lief zehn Minuten', 'Bonus für eine Einladung'],
    ],
  ] as const)(
    'names the newcomer’s and the referrer’s bonus by their purpose, in %s',
    async (language, own, invited) => {
      // As services/referrals credits them: refbonus to the new user, refwelcome to the referrer.
      const credited = [
        entry(2, 1, { source: 'refbonus', amount: 87, reason: 'Joined with a friend’s code' }),
        entry(1, 2, { source: 'refwelcome', amount: 86, reason: 'A friend ran a node for ten minutes' }),
      ];
      const { shell } = show(({ sdk }) => sdk.api.on(at.mining.ledger, { ...EMPTY_PAGE, entries: credited }));
      if (language === 'de') translate(LANGUAGES, 'de');
      await open(shell);
      for (const [reason, source] of [own, invited])
        expect((await screen.findByText(reason)).closest('li')?.textContent).toContain(source);
      translate({}, null);
    },
  );

  it('explains each hour once, at its newest mining entry', async () => {
    const from = Math.floor(SAMPLE_NOW_MS / HOUR_MS) * HOUR_MS;
    const iso = (ms: number) => new Date(ms).toISOString();
    const minute = (minutes: number) => ({ at: iso(from + minutes * MINUTE_MS) });
    const part = { since: iso(from), until: null, rate: 1.925, network: null };
    const ran = { ...part, ...{ from: iso(from), to: iso(from + HOUR_MS), state: 'ran' } };
    const { shell } = show(({ sdk }) => {
      sdk.api
        .on(at.mining.ledger, {
          ...EMPTY_PAGE,
          entries: [entry(3, 0, minute(3)), entry(2, 0, minute(2)), entry(1, 0, minute(-1))],
        })
        .on(at.mining.hours, ({ query }) => ({
          ...{ day: query?.day ?? '', unknown: [], serverTime: iso(SAMPLE_NOW_MS) },
          hours: [{ from: iso(from), mined: 1, ranMs: HOUR_MS, parts: [ran] }],
        }));
    });
    await open(shell);
    const text = await screen.findByText(/^Ran at 1\.925000 CORD\/min, since \d\d:\d\d\.$/);
    const rows = screen.getAllByRole('listitem').filter((row) => row.textContent?.includes('Mining at'));
    expect(rows).toHaveLength(3);
    expect(rows.filter((row) => row.contains(text))).toEqual([rows[0]]);
    expect(shell.sdk.api.callsOf(at.mining.hours).length).toBeLessThan(3);
  });

  it('shows what is not yet in the ledger', async () => {
    const { shell } = show(pages);
    await open(shell);
    const mined = await screen.findByTestId('ledger-open');
    expect(mined.textContent).toBe('1.92 CORD');
    expect(mined.dataset.value).toBe('1.925');
    expect(screen.getByText('Not yet in the ledger')).toBeTruthy();
  });

  it('is sorted by the displayed times; an entry credited later is marked', async () => {
    const { shell } = show(({ sdk }) =>
      sdk.api.on(at.mining.ledger, {
        ...FIRST_PAGE,
        entries: [entry(9, 3, { source: 'commission', reason: 'Late' }), entry(8, 1, { reason: 'Lately' })],
        nextCursor: null,
      }),
    );
    await open(shell);
    await screen.findByText('Late');
    const rows = within(screen.getByTestId('ledger')).getAllByRole('listitem');
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Lately.* after$/),
      expect.stringMatching(/^Late[^l].*credited later$/),
    ]);
  });

  it('loads earlier pages up to the first entry, and marks the end', async () => {
    const { shell, user } = show(pages);
    await open(shell);
    await user.click(await screen.findByRole('button', { name: 'Show earlier entries' }));
    expect(await screen.findByText('Welcome bonus')).toBeTruthy();
    expect(screen.getByText('These are all entries since you joined.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Show earlier entries' })).toBeNull();
    expect(shell.sdk.api.callsOf(at.mining.ledger).map(({ query }) => query)).toEqual([
      { limit: '25' },
      { limit: '25', cursor: '5' },
    ]);
  });

  it('keeps its entries when an earlier page does not load, and can retry', async () => {
    const { shell, user } = show(pages);
    await open(shell);
    await screen.findByText('Daily check-in, day 4 of the streak');
    shell.sdk.api.fail(at.mining.ledger, problem(500, 'down'));
    await user.click(screen.getByRole('button', { name: 'Show earlier entries' }));
    expect(await screen.findByText('Earlier entries could not be loaded. Please try again.')).toBeTruthy();
    expect(screen.getByText('Daily check-in, day 4 of the streak')).toBeTruthy();
    pages(shell);
    await user.click(screen.getByRole('button', { name: 'Show earlier entries' }));
    expect(await screen.findByText('Welcome bonus')).toBeTruthy();
  });

  it('of a new account shows that there are no entries yet', async () => {
    const { shell } = show(({ sdk }) => sdk.api.on(at.mining.ledger, EMPTY_PAGE));
    await open(shell);
    expect(await screen.findByText('No entries yet')).toBeTruthy();
  });

  it('that does not load offers Retry', async () => {
    const { shell, user } = show(({ sdk }) => sdk.api.fail(at.mining.ledger, problem(500, 'down')));
    await open(shell);
    await screen.findByText('Your ledger could not be loaded');
    pages(shell);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Daily check-in, day 4 of the streak')).toBeTruthy();
  });
});

describe('the entries behind a number', () => {
  it('are those of its sources, with a link to the whole ledger', async () => {
    const { shell, user } = show(pages, <LedgerEntries sources={['checkin', 'task']} />);
    const list = within(await screen.findByRole('region', { name: 'The entries behind it' }));
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(2));
    expect(list.queryByText('Mining at 1.925 CORD/min')).toBeNull();
    await user.click(list.getByRole('button', { name: 'Open the ledger' }));
    expect(shell.ledger.opened.get()).toBe(true);
  });

  it('are those since the start of the period, or none', async () => {
    show(({ sdk }) => sdk.api.on(at.mining.ledger, LAST_PAGE), <LedgerEntries sinceMs={SAMPLE_NOW_MS - 60_000} />);
    expect(await screen.findByText('No entries yet.')).toBeTruthy();
  });

  it('are shown as none among the latest 100 if earlier ones were not read', async () => {
    show(pages, <LedgerEntries sources={['welcome']} />);
    expect(await screen.findByText('None among the latest 100 entries.')).toBeTruthy();
    expect(screen.queryByText('No entries yet.')).toBeNull();
  });
});
