import { microToNumber } from '@cord/contracts/rules/money';
import { at, SAMPLE_NOW_MS, sampleUser } from '@cord/sdk/testing';
import { createStoryShell } from '../testing/story-shell';
import type { TestShell } from '../testing/test-shell';
import { checkHere, entriesUntil, sampleCheckOf } from './check.fixtures';
import type { ReadLog } from './read-parts';
import { remember } from './remembered';
import type { CheckEngine } from './run-check';

export const ACCOUNT = sampleUser().id;
/** The day before the samples' day. */
export const DAY = new Date(SAMPLE_NOW_MS - 86_400_000).toISOString().slice(0, 10);

type Sample = ReturnType<typeof sampleCheckOf>;

export interface Stage {
  shell: TestShell;
  sample: Sample;
  engine: CheckEngine;
}

/** A shell whose server proves the signed-in user's ledger; `change` alters its responses. */
export function stage(change: (sample: Sample) => void = () => undefined, day = DAY): Stage {
  const sample = sampleCheckOf(ACCOUNT, day);
  change(sample);
  const shell = createStoryShell({ live: false });
  shell.sdk.api
    .on(at.log.proof, ({ query }) => ({
      ...sample.proof,
      entries: sample.proof.entries.filter(({ n }) => Number(n) > Number(query?.after ?? 0)),
    }))
    .on(at.log.keys, sample.keys)
    .on(at.log.root, sample.root)
    .on(at.mining.ledger, { entries: [], open: 0, nextCursor: null });
  const log: ReadLog = (path, signal) => sample.log.read(path, signal);
  return { shell, sample, engine: { run: checkHere, log } };
}

/** Entries after the proof, as the ledger lists them. */
export function laterEntries(count: number, more: number) {
  return entriesUntil(ACCOUNT, count + more, Date.parse(`${DAY}T23:41:00Z`) + more * 3_600_000)
    .slice(count)
    .map(({ key, at, amount, balance, ...entry }) => ({
      ...entry,
      id: key,
      at: new Date(Number(at)).toISOString(),
      amount: microToNumber(BigInt(amount)),
      balance: microToNumber(BigInt(balance)),
    }));
}

/** A browser that has seen this log before. */
export function hasSeen({ checkpoint }: { checkpoint: string }, vkeys: string[], ok = true): void {
  const text = checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1);
  remember(ACCOUNT, { log: { checkpoint: text, vkeys }, own: null }, { atMs: SAMPLE_NOW_MS - 3_600_000, day: DAY, ok });
}
