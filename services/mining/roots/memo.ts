import { readCheckpoint, readNote } from '@cord/contracts/proof/note';
import type { MemoNetwork } from './solana.js';
import type { HeadDoc, MemoDoc, RootStore } from './store.js';

/** Blocks to wait beyond the last one that can include a transaction before it is given up: even a lagging node shows it by then. */
const GIVEN_UP_BLOCKS = 150;

export interface MemoParts {
  store: RootStore;
  network: MemoNetwork;
}

/** Returns the three lines of a signed checkpoint. */
export const checkpointLines = ({ checkpoint }: Pick<HeadDoc, 'checkpoint'>): string =>
  readNote(checkpoint ?? '')?.text ?? '';

/**
 * Writes the newest signed checkpoint to Solana as a memo, one step a run: search, sign and store, send, confirm. A signed memo is stored
 * before it is sent, and another is signed only when the former can no longer land. So a size has one memo, wherever a run ends.
 * @param hold takes and prolongs the lease; false when another replica has it
 * @throws Error when the node does not respond, the account lacks SOL, or Solana has a memo of this log that does not match it
 */
export async function writeMemo({ store, network }: MemoParts, nowMs: number, hold: () => Promise<boolean>) {
  const pending = await store.pendingMemo();
  const newest = await store.lastHead();
  if (!pending && (!newest || newest.memo)) return;
  if (!(await hold())) return;
  if (pending?.memo && !(await settle({ store, network }, pending._id, pending.memo, nowMs))) return;
  const head = await store.lastHead();
  if (!head || head.memo) return;
  const text = checkpointLines(head);
  const found = await memosBefore({ store, network }, head);
  const there = found.find((memo) => memo.text === text);
  if (there) {
    const { signature, slot } = there;
    const memo = { signature, signer: network.signer, wire: '', lastBlock: 0, slot, atMs: nowMs };
    if (there.finalized) await store.startMemo(head._id, memo);
    return;
  }
  const signed = await network.sign(text);
  if (await store.startMemo(head._id, { ...signed, signer: network.signer, atMs: nowMs }))
    await network.send(signed.wire);
}

/** @returns whether no memo is pending */
async function settle({ store, network }: MemoParts, size: number, memo: MemoDoc, nowMs: number): Promise<boolean> {
  const { signature, wire, lastBlock } = memo;
  // The height is read first: a transaction landed up to it is visible to the next read.
  const height = await network.height();
  const sighting = await network.sighting(signature);
  if (sighting.kind === 'final') {
    await store.confirmMemo(size, signature, { slot: sighting.slot, atMs: nowMs });
    return true;
  }
  if (sighting.kind === 'failed' || (sighting.kind === 'unseen' && height > lastBlock + GIVEN_UP_BLOCKS)) {
    await store.dropMemo(size, signature);
    return true;
  }
  if (sighting.kind === 'unseen' && height <= lastBlock) await network.send(wire);
  return false;
}

/**
 * Returns the memos on Solana after the last one known here: none, unless the store was set back.
 * @throws Error when one of them is not of a checkpoint that this log has signed
 */
async function memosBefore({ store, network }: MemoParts, head: HeadDoc) {
  const origin = readCheckpoint(checkpointLines(head))?.origin ?? '';
  const last = await store.lastMemo();
  const found = await network.memos(origin, last?.memo?.signature);
  for (const { text } of found) {
    const size = readCheckpoint(text)?.size ?? 0;
    const own = await store.headOf(size);
    if (!own || checkpointLines(own) !== text)
      throw new Error(
        `Solana has a memo of size ${size} that does not belong to this log: the store was set back, or the key is used elsewhere`,
      );
  }
  return found;
}
