import { MEMO_PROGRAM, memoFault, memosOf, solanaRpc } from '@cord/contracts/proof/memos';
import { checkpointText } from '@cord/contracts/proof/note';
import { DAY_MS } from '@cord/contracts/rules/days';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { beforeEach, describe, expect, test } from 'vitest';
import { openRuntime, type Runtime } from '../../../infra/dev/test/solana-runtime.js';
import { account, crashAt, FIRST_MS, ORIGIN, outcomeOf, setUpRoots } from '../test/roots.js';
import { checkpointLines, type MemoParts, writeMemo } from './memo.js';
import { memoNetwork } from './solana.js';

/* Memos of checkpoints on the Solana runtime of this machine. */

const { parts, run, put, collection } = setUpRoots();
/** What an account keeps at the least, and what a memo costs. */
const [RENT_LAMPORTS, FEE_LAMPORTS] = [890_880, 5_000];
const SEED = 'e'.repeat(64);
/** Blocks in which a transaction may land, and those after which it is given up: 300 of 400 ms. */
const GIVEN_UP_MS = 130_000;

let solana: Runtime;
let nowMs: number;
let memoParts: MemoParts;

beforeEach(async () => {
  const { folder } = stopAfterTest(await scratch());
  nowMs = FIRST_MS;
  solana = await openRuntime(folder, () => nowMs);
  const network = memoNetwork(solana.url, SEED);
  await solana.airdrop(new PublicKey(network.signer));
  memoParts = { store: parts().store, network };
  await put([account(1), account(2)]);
  await run();
  return () => solana.close();
});

const write = (own: MemoParts = memoParts) => writeMemo(own, nowMs, async () => true);
const later = (ms: number) => {
  nowMs += ms;
};
const memos = () => memosOf(solanaRpc(solana.url), { signer: memoParts.network.signer, origin: ORIGIN });
const headOf = async (size: number) => (await memoParts.store.headOf(size)) ?? { _id: size, root: '' };

/** The memo of a size is there once, final, and known to the store. */
async function expectOne(size: number): Promise<void> {
  const head = await headOf(size);
  const text = checkpointLines(head);
  const all = await memos();
  expect(all.filter((memo) => memo.text === text)).toHaveLength(1);
  expect(memoFault(text, all, { signer: memoParts.network.signer, program: MEMO_PROGRAM })).toBeNull();
  expect(head.memo).toMatchObject({ signature: all.find((memo) => memo.text === text)?.signature });
  expect(head.memo?.slot).toBeGreaterThan(0);
}

describe('the memo of a checkpoint', () => {
  test('is written once per checkpoint, and gets its slot when it is final', async () => {
    await write();
    expect((await headOf(1)).memo?.slot).toBeUndefined();
    await write();
    expect((await headOf(1)).memo?.slot).toBeUndefined();
    later(10_000);
    await write();
    await expectOne(1);
    await write();
    expect(await memos()).toHaveLength(1);
    // The next checkpoint has its own.
    nowMs = FIRST_MS + DAY_MS;
    await run(nowMs);
    await write();
    later(10_000);
    await write();
    await expectOne(2);
    expect(await memos()).toHaveLength(2);
  });

  test('is not written without the lease, nor before a root is signed', async () => {
    await writeMemo(memoParts, nowMs, async () => false);
    expect((await headOf(1)).memo).toBeUndefined();
    await collection('root_heads').updateOne({ _id: 1 as never }, { $unset: { checkpoint: '' } });
    await write();
    expect(await memos()).toEqual([]);
  });

  test('is written once by three concurrent replicas', async () => {
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([write(), write(), write()]);
      later(10_000);
    }
    await expectOne(1);
  });

  test.each(['before', 'after'] as const)('is written once when a process ends %s any of its calls', async (when) => {
    let ended = 0;
    for (let at = 1; ; at += 1) {
      const size = at;
      const ending = crashAt(at, when);
      const own = { store: ending(memoParts.store), network: ending(memoParts.network) };
      let outcome = 'whole';
      for (let round = 0; round < 2 && outcome === 'whole'; round += 1) {
        outcome = await outcomeOf(write(own));
        later(10_000);
      }
      for (let round = 0; round < 2; round += 1) {
        await write();
        later(10_000);
      }
      await expectOne(size);
      expect(await memos()).toHaveLength(size);
      if (outcome === 'whole') break;
      expect(outcome).toBe('ended');
      ended += 1;
      nowMs = FIRST_MS + at * DAY_MS;
      await run(nowMs);
    }
    expect(ended).toBeGreaterThan(10);
  });
});

describe('on a failing chain', () => {
  test('a lost transaction is sent again with the same signature', async () => {
    await solana.fault('drop', 1);
    await write();
    const first = (await headOf(1)).memo?.signature;
    later(10_000);
    await write();
    later(10_000);
    await write();
    await expectOne(1);
    expect((await headOf(1)).memo?.signature).toBe(first);
  });

  test('a transaction held past its expiry is replaced and does not land twice', async () => {
    await solana.fault('hold');
    await write();
    const first = (await headOf(1)).memo?.signature;
    later(GIVEN_UP_MS / 2);
    await write();
    expect((await headOf(1)).memo?.signature).toBe(first);
    later(GIVEN_UP_MS);
    await solana.fault('clear');
    await write();
    expect((await headOf(1)).memo?.signature).not.toBe(first);
    later(10_000);
    await write();
    await expectOne(1);
  });

  test('a failed transaction is not a memo, and another one is sent', async () => {
    await solana.fault('fail', 1);
    await write();
    expect(await memos()).toEqual([]);
    for (let round = 0; round < 2; round += 1) {
      later(10_000);
      await write();
    }
    await expectOne(1);
  });

  test('an unavailable RPC node and an account with too little SOL are reported, and nothing is stored', async () => {
    await solana.fault('rpc-down');
    await expect(write()).rejects.toThrow('of Solana answered 503');
    await solana.fault('clear');
    const network = memoNetwork(solana.url, 'f'.repeat(64));
    await expect(write({ ...memoParts, network })).rejects.toThrow(`${network.signer} has 0 lamports`);
    // With this it could pay the fee; the network would keep it from doing so.
    await solana.airdrop(new PublicKey(network.signer), (RENT_LAMPORTS + FEE_LAMPORTS - 1) / LAMPORTS_PER_SOL);
    later(10_000);
    await expect(write({ ...memoParts, network })).rejects.toThrow(`has ${RENT_LAMPORTS + FEE_LAMPORTS - 1} lamports`);
    expect((await headOf(1)).memo).toBeUndefined();
    await solana.airdrop(new PublicKey(network.signer), RENT_LAMPORTS / LAMPORTS_PER_SOL);
    await write({ ...memoParts, network });
    expect((await headOf(1)).memo).toBeDefined();
  });
});

describe('a store that was set back', () => {
  beforeEach(async () => {
    await write();
    later(10_000);
    await write();
  });

  test('adopts the memo that exists', async () => {
    await collection('root_heads').updateOne({ _id: 1 as never }, { $unset: { memo: '' } });
    await write();
    await expectOne(1);
    expect(await memos()).toHaveLength(1);
  });

  test('writes no memo when the chain has one of the same size for another root', async () => {
    for (const name of ['root_records', 'root_heads', 'root_tiles']) await collection(name).deleteMany({});
    await put([account(3)]);
    await run(nowMs);
    await expect(write()).rejects.toThrow('a memo of size 1 that does not belong to this log');
    expect(await memos()).toHaveLength(1);
  });

  test('writes no memo when the chain has one of a larger size than its log', async () => {
    nowMs = FIRST_MS + DAY_MS;
    await run(nowMs);
    await write();
    later(10_000);
    await write();
    await expectOne(2);
    await collection('root_heads').deleteOne({ _id: 2 as never });
    await collection('root_heads').updateOne({ _id: 1 as never }, { $unset: { memo: '' } });
    await expect(write()).rejects.toThrow('a memo of size 2 that does not belong to this log');
    expect(await memos()).toHaveLength(2);
  });
});

test('only successful memos of the signer that name the log are listed', async () => {
  const checkpoint = (origin: string) => checkpointText({ origin, size: 1, root: new Uint8Array(32) });
  const own = { key: 'signer', text: checkpoint(ORIGIN), err: null as unknown };
  const listed = [
    own,
    { ...own, key: 'stranger' },
    { ...own, text: checkpoint('another.example/log') },
    { ...own, err: { InstructionError: [0, 'Custom'] } },
    { ...own, text: 'gm' },
  ];
  const rpc = async (method: string, [of]: readonly unknown[]) => {
    if (method === 'getSignaturesForAddress') return listed.map(({ err }, at) => ({ signature: String(at), err }));
    const { key, text, err } = listed[Number(of)] ?? own;
    const instructions = [{ programIdIndex: 1, data: bs58.encode(Buffer.from(text)) }];
    return { slot: 7, meta: { err }, transaction: { message: { accountKeys: [key, MEMO_PROGRAM], instructions } } };
  };
  expect(await memosOf(rpc, { signer: 'signer', origin: ORIGIN })).toEqual([
    { signer: 'signer', program: MEMO_PROGRAM, text: own.text, slot: 7, signature: '0', finalized: false },
  ]);
});
