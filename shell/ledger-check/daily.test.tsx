import { at, problem, SAMPLE_NOW_MS } from '@cord/sdk/testing';
import { act, cleanup } from '@cord/sdk/testing/render';
import { waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderInShell } from '../testing/render';
import { begunAnew, KEY } from './check.fixtures';
import { daily } from './check-view.shown';
import { ACCOUNT, hasSeen, laterEntries, type Stage, stage } from './check-view.stage';
import { isDue } from './daily';
import { remember, remembered } from './remembered';
import { LedgerCheckRow } from './row';

/** Makes the daily check of a stage, so many ms after the samples' time. */
const dailyAfter = (made: Stage, ms: number) => {
  act(() => made.shell.sdk.clock.set(SAMPLE_NOW_MS + ms));
  return daily(made);
};

describe('the daily check', () => {
  it('reports a new log once, not as a mismatch', async () => {
    const { log: old } = stage().sample;
    hasSeen(old, [KEY.vkey]);
    const made = stage((sample) => begunAnew(sample, old.text));
    await dailyAfter(made, 86_400_000);
    await daily(made);
    expect(made.shell.sdk.shown).toMatchObject([{ kind: 'info', title: 'A new log was started' }]);
    expect(remembered(ACCOUNT)).toMatchObject({ log: { checkpoint: old.text }, last: { ok: false, begun: true } });
  });

  it('reads only what this browser has not checked before, once a day', async () => {
    const made = stage();
    await daily(made);
    await daily(made);
    const calls = () => made.shell.sdk.api.callsOf(at.log.proof).map(({ query }) => query);
    expect(calls()).toEqual([{}]);
    // No root of the finished day is due yet.
    act(() => made.shell.sdk.clock.set(Date.parse('2026-11-22T00:05:00Z')));
    await daily(made);
    expect(calls()).toEqual([{}, { after: '24' }]);
    expect(made.shell.sdk.shown).toEqual([]);
    expect(remembered(ACCOUNT)).toMatchObject({ last: { ok: true }, own: { from: { n: 24 } } });
  });

  it('finds entries that were changed after this browser saw them', async () => {
    const made = stage();
    made.shell.sdk.api.on(at.mining.ledger, { entries: laterEntries(24, 2), open: 0, nextCursor: null });
    await daily(made);
    // The two newest are gone again.
    made.shell.sdk.api.on(at.mining.ledger, { entries: [], open: 0, nextCursor: null });
    await dailyAfter(made, 86_400_000);
    await waitFor(() => expect(made.shell.sdk.shown[0]).toMatchObject({ title: 'Your ledger does not match' }));
    expect(remembered(ACCOUNT)).toMatchObject({ last: { ok: false }, own: { newest: { n: 26 } } });
    expect(made.shell.sdk.api.callsOf(at.support.file)).toEqual([]);
  });

  it('reports a late root once, and checks again until it is published', async () => {
    const made = stage(() => undefined, '2026-11-18');
    await daily(made);
    const late = { kind: 'info', title: 'The root of 20 Nov 2026 is not published yet' };
    expect(made.shell.sdk.shown).toMatchObject([late]);
    await dailyAfter(made, 700_000);
    expect(made.shell.sdk.api.callsOf(at.log.proof)).toHaveLength(2);
    expect(made.shell.sdk.shown).toHaveLength(1);
    expect(remembered(ACCOUNT).last).toMatchObject({ ok: true, lateDay: '2026-11-20' });
  });

  it('leaves a failed read to the next check', async () => {
    const made = stage();
    made.shell.sdk.api.fail(at.log.proof, new Error('away') as never);
    await daily(made);
    await daily(made);
    expect(made.shell.sdk.api.callsOf(at.log.proof)).toHaveLength(1);
    expect(remembered(ACCOUNT).last).toBeNull();
    expect(made.shell.sdk.shown).toEqual([]);
  });

  it('reports once when no check was possible for a day', async () => {
    const made = stage();
    const { api, shown } = made.shell.sdk;
    const later = (ms: number) => dailyAfter(made, ms);
    api.fail(at.log.proof, new Error('away') as never);
    await daily(made);
    await later(80_000_000);
    expect(shown).toEqual([]);
    await later(86_400_000);
    await later(87_400_000);
    expect(shown).toMatchObject([{ kind: 'info', title: 'The check could not be made' }]);
    expect(shown[0]?.text).toMatch(/^Your ledger has not been checked since 21 Nov 2026/);
    const row = () => renderInShell(made.shell, <LedgerCheckRow />).container.textContent;
    expect(row()).toContain('The check could not be made');
    cleanup();
    api.on(at.log.proof, made.sample.proof);
    await later(89_000_000);
    expect(row()).not.toContain('The check could not be made');
    expect(remembered(ACCOUNT)).toMatchObject({ lostMs: null, last: { ok: true } });
  });

  it('counts a day without a check anew once everything could be read, though no root is expected yet', async () => {
    const made = stage();
    const { api, shown } = made.shell.sdk;
    const later = (ms: number) => dailyAfter(made, ms);
    api.fail(at.log.proof, new Error('away') as never);
    await daily(made);
    api.fail(at.log.proof, problem(404, 'There is no root yet', 'no-root'));
    await later(700_000);
    expect(remembered(ACCOUNT)).toMatchObject({ lostMs: null, last: null });
    api.fail(at.log.proof, new Error('away') as never);
    await later(87_400_000);
    expect(shown).toEqual([]);
  });

  it('is due again after the clock was days ahead', () => {
    remember(ACCOUNT, { log: null, own: null }, { atMs: SAMPLE_NOW_MS + 9e8, day: '', ok: false });
    expect(isDue(ACCOUNT, SAMPLE_NOW_MS)).toBe(true);
    expect(isDue(ACCOUNT, SAMPLE_NOW_MS + 9e8)).toBe(false);
  });
});
