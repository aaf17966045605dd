import { keyRecordText } from '@cord/contracts/proof/records';
import { rulesText } from '@cord/contracts/proof/rules';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { at, problem, SAMPLE_NOW_MS } from '@cord/sdk/testing';
import { act, cleanup } from '@cord/sdk/testing/render';
import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { begunAnew, KEY, logOfRecords, NEXT_KEY, sampleCheckOf, THIRD_KEY } from './check.fixtures';
import { alerted, daily, show } from './check-view.shown';
import { ACCOUNT, DAY, hasSeen, type Stage, stage } from './check-view.stage';
import { readLog } from './read-parts';
import { remembered } from './remembered';

describe('the check of the log', () => {
  it('reports a log that shrank, forked or changed its key since this browser saw it', async () => {
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
      // The first seen state is kept: a second check does not make a log right.
      expect(remembered(ACCOUNT).log?.vkeys).toEqual([...keys]);
      cleanup();
    }
  });

  it('accepts a new key of the log only if the known key vouches for it', async () => {
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

  it('rejects a newest checkpoint signed by a key that was rotated out', async () => {
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

  it('rejects a key that only a rotated key vouches for, and a key that returns', async () => {
    const { sample: before } = stage();
    const withNext = [...before.records, keyRecordText({ vkey: NEXT_KEY.vkey, from: before.records.length + 1 })];
    const from = withNext.length + 1;
    for (const key of [THIRD_KEY, KEY]) {
      localStorage.clear();
      hasSeen(logOfRecords(withNext, { keys: [KEY, NEXT_KEY] }), [KEY.vkey, NEXT_KEY.vkey]);
      const { check } = show(
        stage((sample) => {
          const records = [...withNext, keyRecordText({ vkey: key.vkey, from })];
          sample.log = logOfRecords(records, { keys: [KEY, key], index: sample.records.length - 1 });
          sample.proof.tlog = sample.log.tlog;
          const { checkpoint: vouched } = sample.log;
          sample.keys.keys = [
            ...sample.keys.keys,
            { vkey: NEXT_KEY.vkey, from: from - 1, to: from, vouched: null },
            { vkey: key.vkey, from, to: null, vouched },
          ] as never;
        }),
      );
      await check();
      await alerted('The log is not signed by its key');
      expect(remembered(ACCOUNT).log?.vkeys).toEqual([KEY.vkey, NEXT_KEY.vkey]);
      cleanup();
    }
  });

  it('finds a second root of a day, and a proof that is not of the last day, even in a valid log', async () => {
    const day = (record: string) => record.replace(`day ${DAY}`, 'day 2026-11-21');
    for (const [more, what] of [
      [(record: string) => record.replace('accounts 3', 'accounts 4'), `there are two records of ${DAY}`],
      [day, 'the proof is not of the last day in the log'],
    ] as const) {
      localStorage.clear();
      hasSeen(stage().sample.log, [KEY.vkey]);
      const made = stage((sample) => {
        const { records, proof } = sample;
        sample.log = logOfRecords([...records, more(proof.record)], { index: records.length - 1 });
        proof.tlog = sample.log.tlog;
      });
      act(() => made.shell.sdk.clock.set(SAMPLE_NOW_MS + 86_400_000));
      const { check } = show(made);
      await check();
      await alerted('The log does not have one root for each day');
      expect(screen.getAllByText(`MISMATCH days: ${what}`).length).toBeGreaterThan(0);
      expect(remembered(ACCOUNT).last).toMatchObject({ ok: false });
      cleanup();
    }
  });

  it('finds rules in the day’s record that differ from the page of rules', async () => {
    const pinned = { books: [FIRST_BOOK], epochs: [] };
    const rules = rulesText(pinned, DAY);
    for (const [baseNano, title] of [
      [FIRST_BOOK.baseNano, 'Your ledger matches the root of 20 Nov 2026'],
      [FIRST_BOOK.baseNano + 1, 'The rules are not those of the day’s record'],
    ] as const) {
      const made = stage((sample) => Object.assign(sample, sampleCheckOf(ACCOUNT, DAY, { rules })));
      const book = { ...FIRST_BOOK, baseNano, announcedAtMs: null, reason: '', sooner: null };
      // A later rule book is in no text of the day.
      const next = { ...book, version: 2, fromMs: SAMPLE_NOW_MS };
      made.shell.sdk.api.on(at.rules.rules, { books: [book, next], epochs: [] });
      const { check } = show(made);
      await check();
      await screen.findByText(title);
      expect(remembered(ACCOUNT).last?.ok).toBe(baseNano === FIRST_BOOK.baseNano);
      cleanup();
      localStorage.clear();
    }
  });

  it('finds a root of a day that is not over, as such days could have two roots', async () => {
    const { check } = show(stage(() => undefined, '2026-11-21'));
    await check();
    await alerted('The log does not have one root for each day');
    const what = 'MISMATCH days: the record of 2026-11-21 was made before the end of that day';
    expect(screen.getAllByText(what).length).toBeGreaterThan(0);
    expect(remembered(ACCOUNT)).toMatchObject({ log: null, last: { ok: false } });
  });

  it('reads again if a root or a key was published while it read', async () => {
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
    api.on(at.log.proof, () => firstProof()).on(at.log.keys, () => firstKeys());
    const { check } = show(after);
    await check();
    await screen.findByText('Your ledger matches the root of 20 Nov 2026');
    expect(api.callsOf(at.log.proof)).toHaveLength(2);
  });

  it('continues from a cached checkpoint older than the proof’s root, but not from a forked one', async () => {
    const { sample } = stage();
    const before = sample.records.slice(0, -1);
    const forked = before.map((record) => record.replace('accounts 3', 'accounts 4'));
    for (const [records, title] of [
      [before, 'Your ledger matches the root of 20 Nov 2026'],
      [forked, 'The log is not the one this browser has seen before'],
    ] as const) {
      localStorage.clear();
      const made = stage();
      const cached = logOfRecords(records);
      made.engine.log = (path, signal) => (path === 'checkpoint' ? cached : made.sample.log).read(path, signal);
      const { check } = show(made);
      await check();
      await screen.findByText(title);
      expect(made.shell.sdk.api.callsOf(at.log.proof)).toHaveLength(1);
      if (records === before) expect(remembered(ACCOUNT).log?.checkpoint).toBe(sample.log.text);
      cleanup();
    }
  });

  it('shows that the check could not be made if a cache returns the checkpoint of the previous log', async () => {
    const { sample: old } = stage();
    hasSeen(old.log, [KEY.vkey]);
    const made = stage((sample) => begunAnew(sample, old.log.text));
    made.engine.log = (path, signal) => (path === 'checkpoint' ? old.log : made.sample.log).read(path, signal);
    const { check } = show(made);
    await check();
    await screen.findByText('The check could not be made');
    expect(made.shell.sdk.api.callsOf(at.log.proof)).toHaveLength(3);
    expect(remembered(ACCOUNT)).toMatchObject({ log: { checkpoint: old.log.text }, last: { ok: true } });
  });

  it('never reads the log from the HTTP cache, as a new log uses the same paths', async () => {
    const answers = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('x'));
    const { signal } = new AbortController();
    for (const path of ['checkpoint', 'tile/entries/000.p/1']) await readLog(path, signal);
    expect(answers.mock.calls.map(([, how]) => how?.cache)).toEqual(['no-store', 'no-store']);
    answers.mockRestore();
  });

  it('reports a newest root without an account that an earlier one had, and a log that is gone', async () => {
    const noRoot = problem(404, 'There is no root yet', 'no-root');
    for (const [title, found, change] of [
      [
        'The newest root leaves your account out',
        'MISMATCH tree: a root had this account, the newest has not',
        ({ sdk }: Stage['shell']) => sdk.api.fail(at.log.proof, noRoot),
      ],
      [
        'The log that this browser has seen is gone',
        'MISMATCH history: this browser knows a log, and there is none',
        ({ sdk }: Stage['shell']) => sdk.api.on(at.log.keys, { keys: [], begun: null }),
      ],
    ] as const) {
      localStorage.clear();
      const made = stage();
      await daily(made);
      change(made.shell);
      const { check, user } = show(made);
      await check();
      await alerted(title);
      expect(screen.getByText(found)).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Contact support' })).toBeTruthy();
      // Without a proof there is no file to keep.
      expect(screen.queryByText(/Keep the file/)).toBeNull();
      made.shell.sdk.api.fail(at.log.proof, noRoot);
      await user.click(screen.getByRole('button', { name: 'Download proof' }));
      expect(made.shell.sdk.shown.pop()?.text).toBe('The newest root has no proof for your account.');
      // The seen state is kept.
      expect(remembered(ACCOUNT)).toMatchObject({ own: { from: { n: 24 } }, last: { ok: false } });
      act(() => made.shell.sdk.clock.set(SAMPLE_NOW_MS + 86_400_000));
      await daily(made);
      expect(made.shell.sdk.shown).toMatchObject([{ kind: 'error', title: 'Your ledger does not match' }]);
      cleanup();
    }
  });
});
