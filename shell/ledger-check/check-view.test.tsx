import type { ChainEntry } from '@cord/contracts/proof/chain';
import { pageTitle } from '@cord/sdk/host';
import { at, problem } from '@cord/sdk/testing';
import { cleanup } from '@cord/sdk/testing/render';
import { setNumberLocale } from '@cord/ui';
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { checkHere, KEY, logOfRecords } from './check.fixtures';
import { alerted, daily, show, withLater } from './check-view.shown';
import { ACCOUNT, hasSeen, laterEntries, type Stage, stage } from './check-view.stage';
import { remembered } from './remembered';

describe('the check of a ledger', () => {
  it('shows that an honest ledger matches, with what was read and computed again', async () => {
    const { check, sample, shell } = show();
    shell.sdk.api.on(at.mining.ledger, { entries: laterEntries(24, 2), open: 0, nextCursor: null });
    expect(screen.getByText('Not checked yet in this browser')).toBeTruthy();
    expect(pageTitle.get()).toBe('Check your ledger');
    await check();
    const status = (await screen.findByText('Your ledger matches the root of 20 Nov 2026')).closest('[role=status]');
    expect(status).toBeTruthy();
    expect(screen.getByText('24 read')).toBeTruthy();
    expect(screen.getByText('24 of 24')).toBeTruthy();
    expect(screen.getByText(/18 mining amounts were computed again/)).toBeTruthy();
    // The proof of the sample has no rules.
    expect(screen.getByText(/Their rates were not checked/)).toBeTruthy();
    expect(screen.getByText('2 of 2 steps')).toBeTruthy();
    expect(screen.getByText('2, in the next root')).toBeTruthy();
    expect(screen.getByText(/^OK 24 entries, balance /)).toBeTruthy();
    const command = screen.getByRole('group', { name: 'Command with verify.mjs' }).querySelector('code');
    const [{ vkey } = { vkey: '' }] = sample.keys.keys;
    expect(command?.textContent).toBe(`node verify.mjs cord-proof-2026-11-20.json --vkey ${vkey}`);
    expect(remembered(ACCOUNT)).toMatchObject({ last: { ok: true }, own: { from: { n: 24 }, newest: { n: 26 } } });
    // Nothing is sent.
    expect(shell.sdk.api.callsOf(at.support.file)).toEqual([]);
  });

  it('names the first changed entry, and shows its hashes', async () => {
    const { check } = show(
      stage(({ proof }) => {
        const entry = proof.entries[6];
        if (entry) entry.reason = 'Mining at 1 CORD/min';
      }),
    );
    await check();
    await alerted('Entry 7 does not match');
    expect(screen.getAllByText('MISMATCH entry 7: its hash is not the hash of its fields').length).toBeGreaterThan(0);
    const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1);
    expect(rows.map((row) => within(row).getByRole('rowheader').textContent)).toEqual(['6', '7', '8']);
    const hashes = rows.map((row) => [...row.querySelectorAll('code')].map(({ textContent }) => textContent));
    expect(hashes.map(([has, computed]) => has === computed)).toEqual([true, false, true]);
    expect(remembered(ACCOUNT).last).toMatchObject({ ok: false });
  });

  it.each<[string, (entries: ChainEntry[]) => void, string, string[]]>([
    ['left out', (entries) => void entries.splice(6, 1), 'Entry 7 does not match', ['6', '8', '9']],
    [
      'that was moved',
      (entries) => void entries.splice(6, 2, ...entries.slice(6, 8).reverse()),
      'Entry 7 does not match',
      ['6', '8', '7'],
    ],
    [
      'twice',
      (entries) => void entries.splice(7, 0, ...entries.slice(6, 7)),
      'Entry 8 does not match',
      ['7', '7', '8'],
    ],
  ])('shows the neighbours of an entry %s', async (_what, change, title, shown) => {
    const { check } = show(stage(({ proof }) => change(proof.entries)));
    await check();
    await alerted(title);
    const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1);
    expect(rows.map((row) => within(row).getByRole('rowheader').textContent)).toEqual(shown);
  });

  it('shows the last entry when those that were seen after it are gone', async () => {
    const made = stage();
    await daily(withLater(made, 2));
    made.shell.sdk.api.on(at.mining.ledger, { entries: [], open: 0, nextCursor: null });
    const { check } = show(made);
    await check();
    await alerted('Entry 25 does not match');
    const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1);
    expect(rows.map((row) => within(row).getByRole('rowheader').textContent)).toEqual(['24']);
  });

  it('promises of the command only what it prints: it knows neither the browser nor the log', async () => {
    hasSeen(logOfRecords([...stage().sample.records, 'another day\n']), [KEY.vkey]);
    const { check } = show();
    await check();
    await alerted('The log is not the one this browser has seen before');
    expect(screen.queryByText('It prints')).toBeNull();
  });

  it('finds a sum that the entries do not give, a root without the account and a wrong signature', async () => {
    for (const [title, change] of [
      ['The sum does not match', ({ proof }: Stage['sample']) => void Object.assign(proof.leaf, { sum: '1' })],
      ['Your account is not in the root', ({ proof }: Stage['sample']) => void Object.assign(proof, { index: 0 })],
      [
        'The log is not signed by its key',
        ({ keys }: Stage['sample']) => void keys.keys.splice(0, 1, { vkey: 'x', from: 0, to: null, vouched: null }),
      ],
    ] as const) {
      localStorage.clear();
      const { check } = show(stage(change));
      await check();
      await alerted(title);
      cleanup();
    }
  });

  it('sends its findings to support only after a press', async () => {
    const { sample } = stage();
    const grown = logOfRecords([...sample.records, 'another day\n']);
    hasSeen(
      grown,
      sample.keys.keys.map(({ vkey }) => vkey),
    );
    const { check, user, shell } = show();
    await check();
    await alerted('The log is not the one this browser has seen before');
    expect(shell.sdk.api.callsOf(at.support.file)).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Contact support' }));
    await screen.findByText('Sent to support.');
    const [call] = shell.sdk.api.callsOf(at.support.file);
    const { text } = (call?.body ?? {}) as { text?: string };
    expect(text).toContain('MISMATCH history: the log shrank from 5 to 4');
    // Both states of the log: the current one with its signature, and the earlier one.
    expect(text).toContain(sample.log.checkpoint.trim());
    expect(text).toContain('cord.example/ledger\n5\n');
  });

  it('shows which root is late, and checks against the last one', async () => {
    const { check } = show(stage(() => undefined, '2026-11-18'));
    await check();
    await screen.findByText('The root of 20 Nov 2026 is not published yet');
    expect(screen.getByText('Your ledger matches the root of 18 Nov 2026')).toBeTruthy();
  });

  it('names the day of the first root, without a log or before the account is in a root', async () => {
    const withoutRoot = ({ sdk }: Stage['shell']) =>
      sdk.api.fail(at.log.proof, problem(404, 'There is no root yet', 'no-root'));
    for (const prepare of [
      ({ sdk }: Stage['shell']) => sdk.api.on(at.log.keys, { keys: [], begun: null }),
      withoutRoot,
    ]) {
      const made = stage();
      prepare(made.shell);
      // Another account of this browser may have seen the log before.
      if (prepare === withoutRoot) hasSeen(made.sample.log, [KEY.vkey]);
      const { check, user } = show(made);
      await check();
      await screen.findByText('Your first entries are in no root yet');
      expect(screen.getByText('They enter the root that is published on 22 Nov 2026 at 00:10 UTC.')).toBeTruthy();
      withoutRoot(made.shell);
      await user.click(screen.getByRole('button', { name: 'Download proof' }));
      expect(made.shell.sdk.shown.pop()?.text).toBe('Your first entries are in no root yet');
      cleanup();
    }
  });

  it('shows a balance before the first entry, as no entry explains it', async () => {
    const made = stage((sample) => Object.assign(sample.proof, { opened: { seq: '0', balance: '62000500000' } }));
    const run: Stage['engine']['run'] = (input, signal) =>
      checkHere({ ...input, proof: { ...(input.proof as object), opened: null } }, signal);
    const { check } = show({ ...made, engine: { ...made.engine, run } });
    await check();
    await screen.findByText('62,000.500000 CORD stood before the first entry. No entry shows where they came from.');
    expect(screen.queryByText('All of the ledger up to the root.')).toBeNull();
  });

  it('reports an account left out since its first entry, or a first root that is late', async () => {
    for (const [first, root, title] of [
      // A root of the next day must include it; one of the same day may be older than the entry.
      ['2026-11-19', 'there', 'The newest root leaves your account out'],
      ['2026-11-19', 'no-root', 'The root of 20 Nov 2026 is not published yet'],
      ['2026-11-19', 'root-pending', 'The root of 20 Nov 2026 is not published yet'],
      ['2026-11-20', 'there', 'Your first entries are in no root yet'],
    ] as const) {
      const made = stage();
      const { api } = made.shell.sdk;
      api.fail(at.log.proof, problem(404, 'There is no root yet', 'no-root'));
      if (root !== 'there') api.fail(at.log.root, problem(404, 'There is no root of this day', root));
      const [entry] = laterEntries(0, 1).map((one) => ({ ...one, at: `${first}T23:59:00.000Z` }));
      api.on(at.mining.ledger, { entries: entry ? [entry] : [], open: 0, nextCursor: null });
      const { check } = show(made);
      await check();
      await screen.findByText(title);
      const isLeftOut = title.startsWith('The newest');
      expect(remembered(ACCOUNT).last?.ok).toBe(isLeftOut ? false : undefined);
      if (isLeftOut)
        screen.getByText(
          'MISMATCH tree: the first entry is of 2026-11-19, and the root of 2026-11-20 has not this account',
        );
      cleanup();
      localStorage.clear();
    }
  });

  it('formats its duration by the language', async () => {
    setNumberLocale('de');
    try {
      const { check } = show();
      await check();
      expect(await screen.findByText(/, in \d+,\d s\./)).toBeTruthy();
    } finally {
      setNumberLocale('en-GB');
    }
  });

  it.each(['its button', 'leaving the page'])('is cancelled by %s, and its computation is aborted', async (by) => {
    const made = stage();
    let signal: AbortSignal | undefined;
    made.engine.run = (_input, given) => {
      signal = given;
      return new Promise(() => undefined);
    };
    const { check, user, unmount } = show(made);
    await check();
    await screen.findByText('Checking, 2 of 2');
    if (by === 'its button') {
      await user.click(screen.getByRole('button', { name: 'Cancel' }));
      await screen.findByText('Not checked yet in this browser');
    } else unmount();
    expect(signal?.aborted).toBe(true);
  });
});
