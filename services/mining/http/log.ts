import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { logEndpoints as endpoints } from '@cord/contracts/http/log';
import { readTilePath } from '@cord/contracts/proof/log-tree';
import type { Http } from '@cord/kit/http';
import { notFound } from '@cord/kit/problem';
import type { Context } from 'koa';
import type { Connection } from 'mongoose';
import type { Ledger } from '../ledger/ledger.js';
import { keySpans, noteOf, tileOf } from '../roots/log.js';
import { proofOf, signedRecord } from '../roots/proof.js';
import { type HeadDoc, type LogDoc, ROOT_LOG, ROOT_RECORDS, type RootStore } from '../roots/store.js';
import type { Reads } from '../store/reads.js';

/** Caching stays short: after the log is begun anew, the same path serves another log. */
const SECONDS = 'public, max-age=5';

/** verify.mjs as built by infra/build; its hash is in the repository. */
const VERIFIER = readFileSync(createRequire(import.meta.url).resolve('@cord/contracts/verify.mjs'));
/** SHA-256 of the verifier, base64. */
export const VERIFIER_HASH = createHash('sha256').update(VERIFIER).digest('base64');

interface LogRoutes {
  /** Returns the newest log, for one response. */
  openLog: () => Promise<RootStore>;
  /** Returns the former logs, oldest first. */
  formerLogs: () => Promise<FormerLog[]>;
  ledger: Pick<Ledger, 'read'>;
  reads: Pick<Reads, 'entriesAfter'>;
  /** The Solana account whose memos hold checkpoints; null when no memos are written. */
  memoSigner: string | null;
  now: () => number;
  /** Returns the rules of a day, as known now. */
  rulesOf: (day: string) => string;
  /** Called when an account does not match the root of a day. */
  onMismatch: (userId: string, day: string) => void;
}

/** An ended log with all its keys, which verify the files kept from it. */
interface FormerLog {
  origin: string;
  vkeys: string[];
}

/** Returns the logs before the newest one, oldest first. */
export async function formerLogs(connection: Connection): Promise<FormerLog[]> {
  // The collection also holds the mark of an imported log.
  const logs = await ROOT_LOG.in(connection)
    .find({ _id: { $ne: 'restored' } })
    .toArray();
  // The records of keys, and the first records of logs that were begun anew.
  const records = await ROOT_RECORDS.in(connection).find({ day: '' }).sort({ _id: 1 }).toArray();
  const begun = records.filter(({ origin }) => origin !== undefined).map(({ _id }) => _id);
  const baseOf = ({ _id }: LogDoc) => (_id === 'log' ? 0 : Number(_id));
  const inOrder = logs.sort((one, other) => baseOf(one) - baseOf(other));
  return inOrder.flatMap((log) => {
    const end = begun.find((id) => id > baseOf(log));
    if (end === undefined) return [];
    const own = records.filter(({ _id }) => _id >= baseOf(log) && _id < end);
    return [{ origin: log.origin, vkeys: keySpans(log, own).map(({ vkey }) => vkey) }];
  });
}

/** Mounts the log over the roots of days (C2SP tlog-tiles), the record of one day, and the proof of one's own ledger. */
export function mountLog(http: Http, parts: LogRoutes): void {
  const { openLog, memoSigner } = parts;
  const shown = { method: 'GET', rateClass: 'read' } as const;
  const nothing = () => notFound('no-root', 'There is no root yet');

  http.raw({ id: 'log.verifier', path: '/verify.mjs', ...shown }, async (ctx) => {
    ctx.set('Cache-Control', SECONDS);
    ctx.type = 'text/javascript; charset=utf-8';
    ctx.body = VERIFIER;
  });
  http.raw({ id: 'log.checkpoint', path: '/log/checkpoint', ...shown }, async (ctx) => {
    const head = await (await openLog()).lastHead();
    if (!head?.checkpoint) throw nothing();
    ctx.set('Cache-Control', SECONDS);
    ctx.type = 'text/plain; charset=utf-8';
    ctx.body = noteOf(head);
  });
  // Up to 256,000 records, the number of a tile is one part of its path.
  for (const path of ['/log/tile/:level/:tile', '/log/tile/:level/:tile/:width'])
    http.raw({ id: 'log.tile', path, ...shown }, async (ctx: Context & { params?: Record<string, string> }) => {
      const { level, tile, width } = ctx.params ?? {};
      const named = readTilePath(['tile', level, tile, width].filter((part) => part !== undefined).join('/'));
      const store = await openLog();
      const head = named && (await store.lastHead());
      const bytes = named && head && tileOf(named, (await store.records()).slice(0, head._id));
      if (!bytes) throw notFound('no-tile', 'The log has no such tile');
      ctx.set('Cache-Control', SECONDS);
      ctx.type = 'application/octet-stream';
      ctx.body = Buffer.from(bytes);
    });
  http.publicRoute(endpoints.keys, async () => {
    const store = await openLog();
    const [log, head, all, former] = [
      await store.log(),
      await store.lastHead(),
      await store.records(),
      await parts.formerLogs(),
    ];
    // Also before the first checkpoint, so that a browser that knows the former log does not report a missing log.
    const begun = store.origin === null ? null : (all[0]?.text ?? null);
    if (!log || !head) return { keys: [], begun, former };
    const spans = keySpans(log, all.slice(0, head._id));
    const keys = spans.map(async ({ vkey, from }, at) => ({
      ...{ vkey, from, to: spans[at + 1]?.from ?? null },
      vouched: at === 0 ? null : ((await store.headOf(from))?.checkpoint ?? null),
    }));
    return { keys: await Promise.all(keys), begun, former };
  });
  http.publicRoute(endpoints.root, async ({ params }) => {
    const { head, record } = await signedRecord({ ...parts, store: await openLog() }, params.day);
    return {
      record: record.text,
      at: new Date(record.atMs).toISOString(),
      checkpoint: head.checkpoint ?? '',
      memo: memoOf(head),
      memoSigner,
      cosignatures: (head.cosignatures ?? []).map(({ line }) => line),
    };
  });
  http.route(endpoints.proof, async ({ user, query }) => {
    const store = await openLog();
    return proofOf({ ...parts, store }, user.id, { day: query.day, after: Number(query.after ?? 0) });
  });
}

/** Returns the memo of a checkpoint once it is final. */
function memoOf({ memo }: HeadDoc): { signature: string; slot: number } | null {
  return memo?.slot === undefined ? null : { signature: memo.signature, slot: memo.slot };
}
