import type { Witness } from '@cord/contracts/proof/policy';
import { cosignedAtMs } from '@cord/contracts/proof/witness';
import { DAY_MS, dayStartOf } from '@cord/contracts/rules/days';
import type { Clock } from '@cord/kit/clock';
import { type Metrics, one } from '@cord/kit/metrics';
import { shareRunning } from '@cord/kit/shared';
import type { HeadDoc, RecordDoc, RootStore } from './store.js';

/** A root is due ten minutes after its day and late one hour later: ms after the end of its day. */
const LATE_MS = 4_200_000;

/** Reads the last signed record; null before the first. */
export type LastRoot = () => Promise<RecordDoc | null>;

/** Returns the age of a record: time since the end of its day, ms. */
export const ageMs = ({ day }: Pick<RecordDoc, 'day'>, nowMs: number): number =>
  Math.max(0, nowMs - dayStartOf(day) - DAY_MS);

/** Returns whether the root of the next day is overdue. */
export const isLate = (last: Pick<RecordDoc, 'day'>, nowMs: number): boolean => ageMs(last, nowMs) >= DAY_MS + LATE_MS;

/** Measures the age of the last signed root; of the former log while the newest has none. No value before the first. */
export function measureRoots(
  metrics: Metrics,
  openLog: () => Promise<Pick<RootStore, 'lastSigned'>>,
  clock: Pick<Clock, 'now'>,
): LastRoot {
  const last = shareRunning(async () => (await openLog()).lastSigned());
  metrics.measured('cord_root_age_seconds', async () => {
    const found = await last();
    return found ? one(ageMs(found, clock.now()) / 1_000) : [];
  });
  return last;
}

/** The newest final memo on Solana, or null. `signer` is null when no memos are written. */
export type LastMemo = () => Promise<{ signer: string | null; head: HeadDoc | null }>;

/**
 * Measures the age of the last root whose checkpoint is on Solana; before the first memo, that of the first root. No
 * value without memos, and before the first root.
 */
export function measureMemos(
  metrics: Metrics,
  openLog: () => Promise<Pick<RootStore, 'lastMemo' | 'firstDay' | 'lastDayOf'>>,
  { clock, memoSigner: signer }: { clock: Pick<Clock, 'now'>; memoSigner: string | null },
): LastMemo {
  const last = shareRunning(async () => ({
    signer,
    head: signer === null ? null : await (await openLog()).lastMemo(),
  }));
  metrics.measured('cord_memo_age_seconds', async () => {
    if (signer === null) return [];
    const [{ head }, store] = [await last(), await openLog()];
    const record = head ? await store.lastDayOf(head._id) : await store.firstDay();
    return record ? one(ageMs(record, clock.now()) / 1_000) : [];
  });
  return last;
}

/** The last checkpoint that each witness has signed; empty without witnesses. */
export type LastWitnesses = () => Promise<{ name: string; size: number | null; atMs: number | null }[]>;

export function lastOfWitnesses(
  openLog: () => Promise<Pick<RootStore, 'lastCosigned'>>,
  witnesses: readonly Pick<Witness, 'name' | 'vkey'>[],
): LastWitnesses {
  return shareRunning(async () => {
    const store = await openLog();
    return Promise.all(
      witnesses.map(async ({ name, vkey }) => {
        const head = await store.lastCosigned(vkey);
        const line = head?.cosignatures?.find((one) => one.vkey === vkey)?.line;
        return { name, size: head?._id ?? null, atMs: line === undefined ? null : cosignedAtMs(line) };
      }),
    );
  });
}
