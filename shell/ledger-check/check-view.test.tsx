// @vitest-environment jsdom
import * as logEndpoints from '@cord/contracts/addresses/log';
import * as miningEndpoints from '@cord/contracts/addresses/mining';
import * as supportEndpoints from '@cord/contracts/addresses/support';
import { keyRecordText } from '@cord/contracts/proof/records';
import { formatDate, formatTime } from '@cord/sdk';
import { problem, SAMPLE_NOW_MS } from '@cord/sdk/testing';
import { act, cleanup } from '@cord/sdk/testing/render';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { browserOf } from '../testing/browser';
import { renderInShell } from '../testing/render';
import { begunAnew, KEY, logOfRecords, NEXT_KEY, SECOND_KEY } from './check.fixtures';
import { CheckView } from './check-view';
import { ACCOUNT, DAY, hasSeen, laterEntries, type Stage, stage } from './check-view.stage';
import { checkToday } from './daily';
import { readLog } from './read-parts';
import { remembered } from './remembered';

beforeEach(() => {
  browserOf({ widthPx: 1440 });
  localStorage.clear();
});
afterEach(cleanup);

function show(made: Stage = stage()) {
  const view = renderInShell(
    made.shell,
    <CheckView view={{ open: () => undefined, close: () => undefined }} engine={made.engine} />,
  );
  const check = () => view.user.click(screen.getByRole('button', { name: /^Check (now|again)$/ }));
  return { ...made, ...view, check };
}
const alerted = async (title: string) => {
  await screen.findByText(title);
  expect(screen.getAllByRole('alert').some((each) => each.textContent?.includes(title))).toBe(true);
};
const withLater = (made: Stage, more: number) => {
  made.shell.sdk.api.on(miningEndpoints.ledger, { entries: laterEntries(24, more), open: 0, nextCursor: null });
  return made;
};
const daily = ({ shell, engine }: Stage) =>
  checkToday(shell.sdk, ACCOUNT, { ...engine, signal: new AbortController().signal });

describe('check your ledger', () => {
  it('shows that an honest ledger matches, with what was counted and computed again', async () => {
    const { check, sample, shell } = show();
    shell.sdk.api.on(miningEndpoints.ledger, { entries: laterEntries(24, 2), open: 0, nextCursor: null });
    expect(screen.getByText('Not checked yet in this browser')).toBeTruthy();
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
    const command = screen.getByRole('textbox', { name: 'Command with verify.mjs' }) as HTMLInputElement;
    const [{ vkey } = { vkey: '' }] = sample.keys.keys;
    expect(command.value).toBe(`node verify.mjs cord-proof-2026-11-20.json --vkey ${vkey}`);
    expect(remembered(ACCOUNT)).toMatchObject({ last: { ok: true }, own: { from: { n: 24 }, newest: { n: 26 } } });
    // Nothing is sent.
    expect(shell.sdk.api.callsOf(supportEndpoints.file)).toEqual([]);
  });

  it('names the first entry that was changed, and shows its hashes', async () => {
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

  it('finds a sum that the entries do not make, a root without the account and a wrong signature', async () => {
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

  it('names a log that shrank, forked or changed its key since this browser saw it', async () => {
    const { sample } = stage();
    const vkeys = sample.keys.keys.map(({ vkey }) => vkey);
    const forked = logOfRecords(sample.records.map((record) => record.replace('accounts 3', 'accounts 4')));
    const grown = logOfRecords([...sample.records, 'another day\n']);
    for (const [log, keys] of [
      [forked, vkeys],
      [grown, vkeys],
      [sample.log, ['cord.example/ledger+00000000+AQ==']],
    ] as const) {
      localStorage.clear();
      hasSeen(log, [...keys]);
      const { check } = show();
      await check();
      await screen.findByText(/^The log is not (the one this browser has seen before|signed by its key)$/);
      // What was seen first stays: a log does not become right by being looked at twice.
      expect(remembered(ACCOUNT).log?.vkeys).toEqual([...keys]);
      cleanup();
    }
  });

  it('takes a new key of the log for which the one it knows vouches, and no other', async () => {
    const rotated = (vouching: (typeof KEY)[]) =>
      stage((sample) => {
        const { records } = sample;
        const from = records.length + 1;
        const withKey = [...records, keyRecordText({ vkey: NEXT_KEY.vkey, from })];
        const vouched = logOfRecords(withKey, { keys: vouching }).checkpoint;
        const index = records.length - 1;
        sample.log = logOfRecords([...withKey, 'another day\n'], { keys: [NEXT_KEY], index });
        sample.proof.tlog = sample.log.tlog;
        const [first] = sample.keys.keys;
        if (first) sample.keys.keys = [first, { vkey: NEXT_KEY.vkey, from, to: null, vouched }] as never;
      });
    for (const [vouching, title] of [
      [[KEY, NEXT_KEY], 'Your ledger matches the root of 20 Nov 2026'],
      [[NEXT_KEY], 'The log is not signed by its key'],
    ] as const) {
      localStorage.clear();
      hasSeen(stage().sample.log, [KEY.vkey]);
      const { check } = show(rotated([...vouching]));
      await check();
      await screen.findByText(title);
      const known = vouching.length === 2 ? [KEY.vkey, NEXT_KEY.vkey] : [KEY.vkey];
      expect(remembered(ACCOUNT).log?.vkeys).toEqual(known);
      cleanup();
    }
  });

  it('refuses a newest checkpoint by a key that was rotated out', async () => {
    hasSeen(stage().sample.log, [KEY.vkey]);
    const { check } = show(
      stage((sample) => {
        const { records } = sample;
        const from = records.length + 1;
        const withKey = [...records, keyRecordText({ vkey: NEXT_KEY.vkey, from })];
        const vouched = logOfRecords(withKey, { keys: [KEY, NEXT_KEY] }).checkpoint;
        sample.log = logOfRecords([...withKey, 'another day\n'], { keys: [KEY], index: records.length - 1 });
        sample.proof.tlog = sample.log.tlog;
        sample.keys.keys = [
          { vkey: KEY.vkey, from: 0, to: from, vouched: null },
          { vkey: NEXT_KEY.vkey, from, to: null, vouched },
        ] as never;
      }),
    );
    await check();
    await alerted('The log is not signed by its key');
    expect(remembered(ACCOUNT).log?.vkeys).toEqual([KEY.vkey]);
  });

  it('finds a second root of a day, and a proof that is not of the last day, in a log that is signed and goes on', async () => {
    const day = (record: string) => record.replace(`day ${DAY}`, 'day 2026-11-21');
    for (const [more, what] of [
      [(record: string) => record.replace('accounts 3', 'accounts 4'), `there are two records of ${DAY}`],
      [day, 'the proof is not of the last day in the log'],
    ] as const) {
      localStorage.clear();
      hasSeen(stage().sample.log, [KEY.vkey]);
      const { check } = show(
        stage((sample) => {
          const { records, proof } = sample;
          sample.log = logOfRecords([...records, more(proof.record)], { index: records.length - 1 });
          proof.tlog = sample.log.tlog;
        }),
      );
      await check();
      await alerted('The log does not have one root for each day');
      expect(screen.getAllByText(`MISMATCH days: ${what}`).length).toBeGreaterThan(0);
      expect(remembered(ACCOUNT).last).toMatchObject({ ok: false });
      cleanup();
    }
  });

  it('reads again where a root was published, or a key came, while it read', async () => {
    const before = stage();
    const after = stage((sample) => {
      const { records, proof } = sample;
      const from = records.length;
      const withKey = [...records.slice(0, -1), keyRecordText({ vkey: NEXT_KEY.vkey, from })];
      const vouched = logOfRecords(withKey, { keys: [KEY, NEXT_KEY] }).checkpoint;
      sample.log = logOfRecords([...withKey, proof.record], { keys: [NEXT_KEY] });
      proof.tlog = sample.log.tlog;
      sample.keys.keys = [...sample.keys.keys, { vkey: NEXT_KEY.vkey, from, to: null, vouched }] as never;
    });
    const { api } = after.shell.sdk;
    const [firstProof, firstKeys] = [vi.fn(() => after.sample.proof), vi.fn(() => after.sample.keys)];
    firstProof.mockReturnValueOnce(before.sample.proof);
    firstKeys.mockReturnValueOnce(before.sample.keys);
    api.on(logEndpoints.proof, () => firstProof()).on(logEndpoints.keys, () => firstKeys());
    const { check } = show(after);
    await check();
    await screen.findByText('Your ledger matches the root of 20 Nov 2026');
    expect(api.callsOf(logEndpoints.proof)).toHaveLength(2);
  });

  it('takes nothing of the log from a cache: after it was begun anew its paths have another log', async () => {
    const answers = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('x'));
    const { signal } = new AbortController();
    for (const path of ['checkpoint', 'tile/entries/000.p/1']) await readLog(path, signal);
    expect(answers.mock.calls.map(([, how]) => how?.cache)).toEqual(['no-store', 'no-store']);
    answers.mockRestore();
  });

  it('names a root without the account that one before had, and a log that is gone', async () => {
    const noRoot = problem(404, 'There is no root yet', 'no-root');
    for (const [title, found, change] of [
      [
        'The newest root leaves your account out',
        'MISMATCH tree: a root had this account, the newest has not',
        ({ sdk }: Stage['shell']) => sdk.api.fail(logEndpoints.proof, noRoot),
      ],
      [
        'The log that this browser has seen is gone',
        'MISMATCH history: this browser knows a log, and there is none',
        ({ sdk }: Stage['shell']) => sdk.api.on(logEndpoints.keys, { keys: [], begun: null }),
      ],
    ] as const) {
      localStorage.clear();
      const made = stage();
      await daily(made);
      change(made.shell);
      const { check } = show(made);
      await check();
      await alerted(title);
      expect(screen.getByText(found)).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Contact support' })).toBeTruthy();
      // What was seen stays.
      expect(remembered(ACCOUNT)).toMatchObject({ own: { from: { n: 24 } }, last: { ok: false } });
      act(() => made.shell.sdk.clock.set(SAMPLE_NOW_MS + 86_400_000));
      await daily(made);
      expect(made.shell.sdk.shown).toMatchObject([{ kind: 'error', title: 'Your ledger does not match' }]);
      cleanup();
    }
  });

  it('takes a log that was begun anew and has no root yet for what it is', async () => {
    const noRoot = problem(404, 'There is no root yet', 'no-root');
    for (const hasCheckpoint of [false, true]) {
      localStorage.clear();
      const made = stage();
      await daily(made);
      const atMs = SAMPLE_NOW_MS - 60_000;
      const next = stage((sample) => begunAnew(sample, made.sample.log.text, { atMs })).sample.keys;
      made.shell.sdk.api.on(logEndpoints.keys, hasCheckpoint ? next : { ...next, keys: [] });
      made.shell.sdk.api.fail(logEndpoints.proof, noRoot);
      const { check } = show(made);
      await check();
      await alerted(`A new log was started on ${formatDate(atMs)}, ${formatTime(atMs)}`);
      expect(screen.getByText(/^It has no root with your account yet/)).toBeTruthy();
      expect(screen.queryByRole('button', { name: 'Contact support' })).toBeNull();
      expect(remembered(ACCOUNT)).toMatchObject({
        ...{ own: { from: { n: 24 } }, log: { checkpoint: made.sample.log.text } },
        last: { ok: false, begun: true },
      });
      cleanup();
    }
  });

  it('states that the log was begun anew, when and why, and goes on with it after a press', async () => {
    const { log: old } = stage().sample;
    hasSeen(old, [KEY.vkey]);
    const atMs = SAMPLE_NOW_MS - 7_200_000;
    const { check, user, shell } = show(
      stage((sample) => begunAnew(sample, old.text, { atMs, reason: 'The store was restored from a backup' })),
    );
    await check();
    await alerted(`A new log was started on ${formatDate(atMs)}, ${formatTime(atMs)}`);
    expect(screen.getByText('The reason we give: “The store was restored from a backup”')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Contact support' })).toBeNull();
    // Nothing is taken over before it is pressed.
    expect(remembered(ACCOUNT)).toMatchObject({ log: { checkpoint: old.text }, last: { ok: false, begun: true } });
    await user.click(screen.getByRole('button', { name: 'Continue with the new log' }));
    await screen.findByText('Your ledger matches the root of 20 Nov 2026');
    expect(remembered(ACCOUNT)).toMatchObject({
      ...{ log: { vkeys: [SECOND_KEY.vkey] }, own: { newest: { n: 24 } } },
      last: { ok: true },
    });
    expect(remembered(ACCOUNT).log?.checkpoint).toMatch(/^cord\.example\/ledger\/2\n2\n/);
    expect(shell.sdk.api.callsOf(supportEndpoints.file)).toEqual([]);
  });

  it('shows the entries that a log which was begun anew has lost, before it forgets them', async () => {
    const { sample } = stage();
    await daily(withLater(stage(), 2));
    const { check, user } = show(stage((now) => begunAnew(now, sample.log.text)));
    await check();
    await alerted('Your entries are not all as this browser has seen them:');
    expect(screen.getAllByText('MISMATCH entry 25: 26 entries were seen before, 24 are left').length).toBeGreaterThan(
      0,
    );
    expect(screen.getByRole('button', { name: 'Contact support' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Continue with the new log' }));
    await screen.findByText('Your ledger matches the root of 20 Nov 2026');
  });

  it('takes no log as begun anew whose first record does not name what was seen, or is not in it', async () => {
    const { sample } = stage();
    const other = logOfRecords(sample.records.map((record) => record.replace('accounts 3', 'accounts 4')));
    const smaller = logOfRecords(sample.records.slice(0, 3));
    for (const change of [
      (now: Stage['sample']) => begunAnew(now, other.text),
      (now: Stage['sample']) => begunAnew(now, smaller.text),
      (now: Stage['sample']) => begunAnew(now, sample.log.text.replace('cord.example', 'other.example')),
      (now: Stage['sample']) => {
        begunAnew(now, sample.log.text);
        now.keys.begun = `${now.keys.begun}`.replace('reason Why', 'reason Another');
      },
      (now: Stage['sample']) => {
        begunAnew(now, sample.log.text);
        now.keys.begun = null;
      },
    ]) {
      localStorage.clear();
      hasSeen(sample.log, [KEY.vkey]);
      const { check } = show(stage(change));
      await check();
      await alerted('The log is not signed by its key');
      expect(screen.queryByRole('button', { name: 'Continue with the new log' })).toBeNull();
      expect(remembered(ACCOUNT).log?.checkpoint).toBe(sample.log.text);
      cleanup();
    }
  });

  it('sends what it found to support after a press, and not before', async () => {
    const { sample } = stage();
    const grown = logOfRecords([...sample.records, 'another day\n']);
    hasSeen(
      grown,
      sample.keys.keys.map(({ vkey }) => vkey),
    );
    const { check, user, shell } = show();
    await check();
    await alerted('The log is not the one this browser has seen before');
    expect(shell.sdk.api.callsOf(supportEndpoints.file)).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Contact support' }));
    await screen.findByText('Sent to support.');
    const [call] = shell.sdk.api.callsOf(supportEndpoints.file);
    const { text } = (call?.body ?? {}) as { text?: string };
    expect(text).toContain('MISMATCH history: the log shrank from 5 to 4');
    // Both looks at the log: the one of now, with its signature, and the one of before.
    expect(text).toContain(sample.log.checkpoint.trim());
    expect(text).toContain('cord.example/ledger\n5\n');
  });

  it('shows which root is late, and checks against the last one', async () => {
    const { check } = show(stage(() => undefined, '2026-11-18'));
    await check();
    await screen.findByText('The root of 20 Nov 2026 is not published yet');
    expect(screen.getByText('Your ledger matches the root of 18 Nov 2026')).toBeTruthy();
  });

  it('names the day of the first root, before the log has one and before the account is in one', async () => {
    const withoutRoot = ({ sdk }: Stage['shell']) =>
      sdk.api.fail(logEndpoints.proof, problem(404, 'There is no root yet', 'no-root'));
    for (const prepare of [
      ({ sdk }: Stage['shell']) => sdk.api.on(logEndpoints.keys, { keys: [], begun: null }),
      withoutRoot,
    ]) {
      const made = stage();
      prepare(made.shell);
      // Another account of this browser may have seen the log before.
      if (prepare === withoutRoot) hasSeen(made.sample.log, [KEY.vkey]);
      const { check } = show(made);
      await check();
      await screen.findByText('Your first entries are in no root yet');
      expect(screen.getByText('They enter the root that is published on 22 Nov 2026 at 00:10 UTC.')).toBeTruthy();
      cleanup();
    }
  });

  it('can be given up', async () => {
    const made = stage();
    made.shell.sdk.api.hang(logEndpoints.proof);
    const { check, user } = show(made);
    await check();
    await screen.findByText('Checking, 1 of 4');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await screen.findByText('Not checked yet in this browser');
  });
});

describe('the check of each day', () => {
  it('reports a log that was begun anew once, and as nothing that does not match', async () => {
    const { log: old } = stage().sample;
    hasSeen(old, [KEY.vkey]);
    const made = stage((sample) => begunAnew(sample, old.text));
    act(() => made.shell.sdk.clock.set(SAMPLE_NOW_MS + 86_400_000));
    await daily(made);
    await daily(made);
    expect(made.shell.sdk.shown).toMatchObject([{ kind: 'info', title: 'A new log was started' }]);
    expect(remembered(ACCOUNT)).toMatchObject({ log: { checkpoint: old.text }, last: { ok: false, begun: true } });
  });

  it('reads what this browser has not checked before, once a day', async () => {
    const made = stage();
    await daily(made);
    await daily(made);
    const calls = () => made.shell.sdk.api.callsOf(logEndpoints.proof).map(({ query }) => query);
    expect(calls()).toEqual([{}]);
    // Of the day that has just ended no root is due yet.
    act(() => made.shell.sdk.clock.set(Date.parse('2026-11-22T00:05:00Z')));
    await daily(made);
    expect(calls()).toEqual([{}, { after: '24' }]);
    expect(made.shell.sdk.shown).toEqual([]);
    expect(remembered(ACCOUNT)).toMatchObject({ last: { ok: true }, own: { from: { n: 24 } } });
  });

  it('finds entries that were changed after this browser saw them', async () => {
    const made = stage();
    made.shell.sdk.api.on(miningEndpoints.ledger, { entries: laterEntries(24, 2), open: 0, nextCursor: null });
    await daily(made);
    // The two newest are gone again.
    made.shell.sdk.api.on(miningEndpoints.ledger, { entries: [], open: 0, nextCursor: null });
    act(() => made.shell.sdk.clock.set(SAMPLE_NOW_MS + 86_400_000));
    await daily(made);
    await waitFor(() => expect(made.shell.sdk.shown[0]).toMatchObject({ title: 'Your ledger does not match' }));
    expect(remembered(ACCOUNT)).toMatchObject({ last: { ok: false }, own: { newest: { n: 26 } } });
    expect(made.shell.sdk.api.callsOf(supportEndpoints.file)).toEqual([]);
  });

  it('reports once that a root is late, and looks again until it is there', async () => {
    const made = stage(() => undefined, '2026-11-18');
    await daily(made);
    const late = { kind: 'info', title: 'The root of 20 Nov 2026 is not published yet' };
    expect(made.shell.sdk.shown).toMatchObject([late]);
    act(() => made.shell.sdk.clock.set(SAMPLE_NOW_MS + 700_000));
    await daily(made);
    expect(made.shell.sdk.api.callsOf(logEndpoints.proof)).toHaveLength(2);
    expect(made.shell.sdk.shown).toHaveLength(1);
    expect(remembered(ACCOUNT).last).toMatchObject({ ok: true, lateDay: '2026-11-20' });
  });

  it('leaves a server that does not answer to the next look', async () => {
    const made = stage();
    made.shell.sdk.api.fail(logEndpoints.proof, new Error('away') as never);
    await daily(made);
    await daily(made);
    expect(made.shell.sdk.api.callsOf(logEndpoints.proof)).toHaveLength(1);
    expect(remembered(ACCOUNT).last).toBeNull();
    expect(made.shell.sdk.shown).toEqual([]);
  });
});
