import { formatDate, formatTime } from '@cord/sdk';
import { at, problem, SAMPLE_NOW_MS } from '@cord/sdk/testing';
import { cleanup } from '@cord/sdk/testing/render';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { begunAnew, KEY, logOfRecords, SECOND_KEY } from './check.fixtures';
import { alerted, daily, show, withLater } from './check-view.shown';
import { ACCOUNT, hasSeen, type Stage, stage } from './check-view.stage';
import { remembered } from './remembered';

describe('the check of a ledger with a new log', () => {
  it('shows a new log without a root as such, and keeps what it remembers', async () => {
    const noRoot = problem(404, 'There is no root yet', 'no-root');
    for (const hasCheckpoint of [false, true]) {
      localStorage.clear();
      const made = stage();
      await daily(made);
      const atMs = SAMPLE_NOW_MS - 60_000;
      const next = stage((sample) => begunAnew(sample, made.sample.log.text, { atMs })).sample.keys;
      made.shell.sdk.api.on(at.log.keys, hasCheckpoint ? next : { ...next, keys: [] });
      made.shell.sdk.api.fail(at.log.proof, noRoot);
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

  it('shows an account as left out if the new log lacks it after its first root is due', async () => {
    for (const [hasCheckpoint, title] of [
      [false, 'The log that this browser has seen is gone'],
      [true, 'The newest root leaves your account out'],
    ] as const) {
      localStorage.clear();
      const made = stage();
      await daily(made);
      const atMs = SAMPLE_NOW_MS - 3_600_000;
      const next = stage((sample) => begunAnew(sample, made.sample.log.text, { atMs })).sample.keys;
      made.shell.sdk.api.on(at.log.keys, hasCheckpoint ? next : { ...next, keys: [] });
      made.shell.sdk.api.fail(at.log.proof, problem(404, 'There is no root yet', 'no-root'));
      const { check } = show(made);
      await check();
      await alerted(title);
      expect(screen.getByRole('button', { name: 'Contact support' })).toBeTruthy();
      expect(remembered(ACCOUNT).last).toMatchObject({ ok: false });
      expect(remembered(ACCOUNT).last).not.toHaveProperty('begun');
      cleanup();
    }
  });

  it('shows when and why the new log was started, and continues with it on a press', async () => {
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
    // Nothing is stored before the press.
    expect(remembered(ACCOUNT)).toMatchObject({ log: { checkpoint: old.text }, last: { ok: false, begun: true } });
    await user.click(screen.getByRole('button', { name: 'Continue with the new log' }));
    await screen.findByText('Your ledger matches the root of 20 Nov 2026');
    expect(remembered(ACCOUNT)).toMatchObject({
      ...{ log: { vkeys: [SECOND_KEY.vkey] }, own: { newest: { n: 24 } } },
      last: { ok: true },
    });
    expect(remembered(ACCOUNT).log?.checkpoint).toMatch(/^cord\.example\/ledger\/2\n2\n/);
    expect(shell.sdk.api.callsOf(at.support.file)).toEqual([]);
  });

  it('shows the entries that the new log has lost, before they are forgotten', async () => {
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

  it('shows a new log with a failing proof as a failure, not as lost entries', async () => {
    const { sample } = stage();
    await daily(stage());
    const made = stage((now) => {
      begunAnew(now, sample.log.text);
      const first = now.proof.entries[0];
      if (first) first.amount = `${BigInt(first.amount) + 1n}`;
    });
    const { check } = show(made);
    await check();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Contact support' })).toBeTruthy());
    expect(screen.queryByText(/^A new log was started on/)).toBeNull();
    expect(screen.queryByText(/^Your entries are not all as this browser/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Continue with the new log' })).toBeNull();
    expect(remembered(ACCOUNT).last).toMatchObject({ ok: false });
    expect(remembered(ACCOUNT).last).not.toHaveProperty('begun');
  });

  it('rejects a new log if its first record does not name the known log, or is not in the log', async () => {
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
});
