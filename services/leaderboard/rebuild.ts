import { setTimeout as sleep } from 'node:timers/promises';
import { pageRpc } from '@cord/contracts/rpc/ledger';
import type { Log } from '@cord/kit/log';
import type { Nats } from '@cord/kit/nats';
import type { Board } from './domain/board.js';
import { type Following, followStreams } from './events.js';
import type { LeaderboardStore } from './store.js';

/** Accounts asked for at once. */
const PAGE = 500;
/** Tries before the first start goes on with the stream alone, and the scan follows when mining answers. */
const FIRST_TRIES = 5;
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 30_000;

interface Parts {
  nats: Nats;
  board: Board;
  store: LeaderboardStore;
  log: Log;
  signal: AbortSignal;
}

/**
 * Fills the board and keeps it in step (design.md, Events; money.md, Rankings): profiles and snapshot from the store, the
 * live stream from there on, and a scan of the ledger, which is the truth. Resolves when the board is whole.
 */
export async function rebuild(parts: Parts): Promise<Following> {
  const { nats, board, store, log } = parts;
  const snapshot = await store.loadSnapshot();
  if (snapshot) board.load(snapshot.miners);
  await loadProfiles(store, board);
  // Noted before the scan: what changes during it comes through the stream.
  const fromSeq = snapshot?.balanceStreamSeq ?? 0;
  const following = followStreams(nats, board, fromSeq);
  const scanned = await board.fill(() => scanWithTries(parts, snapshot ? 1 : FIRST_TRIES));
  if (!scanned) {
    log.warn('the ledger does not answer; the scan follows');
    void scanWithTries(parts, Number.POSITIVE_INFINITY).catch(() => undefined);
  }
  await Promise.all(following.parts.map((part) => part.caughtUp));
  return following;
}

async function loadProfiles(store: LeaderboardStore, board: Board): Promise<void> {
  for await (const profile of store.profiles()) {
    if (profile.erased) {
      board.erase(profile._id);
      continue;
    }
    const { username, avatar = null, discordCreatedAtMs = 0, seq = 0 } = profile;
    if (username !== undefined) board.applyProfile(profile._id, seq, { username, avatar, discordCreatedAtMs });
    if (profile.badge) board.applyBadge(profile._id);
  }
}

/** @returns whether the scan went through */
async function scanWithTries(parts: Parts, triesMax: number): Promise<boolean> {
  for (let tries = 1; tries <= triesMax && !parts.signal.aborted; tries += 1) {
    try {
      await scan(parts);
      return true;
    } catch (err) {
      parts.log.debug({ err, tries }, 'the ledger could not be scanned');
      if (tries === triesMax) break;
      await sleep(Math.min(RETRY_MS * tries, RETRY_MS_MAX), undefined, { signal: parts.signal });
    }
  }
  return false;
}

/** Reads every account of the ledger, page by page. */
async function scan({ nats, board, signal }: Parts): Promise<void> {
  let after: string | null = null;
  for (;;) {
    signal.throwIfAborted();
    const page: { accounts: { userId: string; seq: string }[]; done: boolean } = await nats.request(pageRpc, {
      after,
      limit: PAGE,
    });
    for (const account of page.accounts as Parameters<typeof apply>[1][]) apply(board, account);
    if (page.done) return;
    after = page.accounts.at(-1)?.userId ?? after;
  }
}

type Account = Parameters<Board['applyAccount']>[2] & { userId: string; seq: string };

function apply(board: Board, account: Account): void {
  board.applyAccount(account.userId, Number(account.seq), account);
}
