import { readNote } from '@cord/contracts/proof/note';
import { policyFault, readPolicy } from '@cord/contracts/proof/policy';
import { NODE_PRIMITIVES } from '@cord/contracts/proof/verify-file';
import { cosignedAtMs } from '@cord/contracts/proof/witness';
import { DAY_MS } from '@cord/contracts/rules/days';
import { beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../ledger/chain.js';
import { account, BY_COMMAND, crashAt, FIRST_MS, KEY, ORIGIN, outcomeOf, setUpRoots } from '../test/roots.js';
import { startWitness, type TestWitness } from '../test/witness.js';
import { beginLog } from './begin.js';
import { noteOf } from './log.js';
import type { RootStore } from './store.js';
import { type CalledWitness, callWitnesses, witnessesOf } from './witness.js';

const { parts, run, put, newest, collection } = setUpRoots();

let north: TestWitness;
let south: TestWitness;
let witnesses: CalledWitness[];

beforeEach(async () => {
  const vkeys = [KEY.vkey(ORIGIN), KEY.vkey(`${ORIGIN}/2`)];
  [north, south] = await Promise.all([
    startWitness('north', vkeys, () => FIRST_MS),
    startWitness('south', vkeys, () => FIRST_MS),
  ]);
  witnesses = witnessesOf(`${north.line}; ${south.line}`);
  await put([1, 2, 3].map((n) => account(n)));
  await run();
  return async () => {
    await Promise.all([north.close(), south.close()]);
  };
});

const callBoth = async (store: RootStore = parts().store) => callWitnesses({ store, witnesses }, async () => true);
/** Whether both have signed the newest checkpoint, each once, as a verifier sees it. */
async function expectBoth(size: number, store: RootStore = parts().store): Promise<void> {
  const head = await store.lastHead();
  expect(head?._id).toBe(size);
  expect(head?.cosignatures?.map(({ vkey }) => vkey).sort()).toEqual([north.vkey, south.vkey].sort());
  const policy = readPolicy(sha256, `${north.line}\n${south.line}\ngroup both all north south\nquorum both\n`);
  const note = readNote(noteOf(head ?? {}));
  if (!note) throw new Error('this is no note');
  expect(await policyFault(NODE_PRIMITIVES, note, policy)).toBeNull();
}

describe('the witnesses of a checkpoint', () => {
  test('sign each checkpoint once, after a check that the log continues', async () => {
    await callBoth();
    await expectBoth(1);
    await callBoth();
    expect(north.requests).toEqual(['old 0']);
    for (const day of [1, 2, 3]) await run(FIRST_MS + day * DAY_MS);
    await callBoth();
    await expectBoth(4);
    expect(north.requests).toEqual(['old 0', 'old 1']);
    const [{ line } = { line: '' }] = (await parts().store.lastHead())?.cosignatures ?? [];
    expect(cosignedAtMs(line)).toBe(FIRST_MS);
  });

  test('are not called without the lease, nor before a root is signed', async () => {
    await callWitnesses({ store: parts().store, witnesses }, async () => false);
    await collection('root_heads').updateOne({ _id: 1 as never }, { $unset: { checkpoint: '' } });
    await callBoth();
    expect(north.requests).toEqual([]);
  });

  test('sign while another one is unavailable, which then signs the next checkpoint', async () => {
    south.faults.push(() => ({ status: 500 }));
    await expect(callBoth()).rejects.toThrow(/^south: it responded with 500$/);
    expect((await parts().store.lastHead())?.cosignatures?.map(({ vkey }) => vkey)).toEqual([north.vkey]);
    await run(FIRST_MS + DAY_MS);
    await callBoth();
    await expectBoth(2);
    await south.close();
    await run(FIRST_MS + 2 * DAY_MS);
    await expect(callBoth()).rejects.toThrow(/^south: fetch failed/);
    // The root was published all the same.
    expect((await parts().store.lastHead())?._id).toBe(3);
    south = await startWitness('south', [], () => FIRST_MS);
  });

  test('respond with their own size when it differs from ours, and then sign', async () => {
    // What the witness answered was lost.
    await callBoth();
    await collection('root_heads').updateOne({ _id: 1 as never }, { $unset: { cosignatures: '' } });
    await run(FIRST_MS + DAY_MS);
    await callBoth();
    await expectBoth(2);
    expect(north.requests).toEqual(['old 0', 'old 0', 'old 1']);
    // The same of the newest one.
    await collection('root_heads').updateMany({}, { $unset: { cosignatures: '' } } as never);
    await callBoth();
    await expectBoth(2);
    expect(north.requests.slice(3)).toEqual(['old 0', 'old 2']);
  });

  test('sign once when replicas call them concurrently', async () => {
    await Promise.all([callBoth(), callBoth(), callBoth()].map((each) => each.catch(() => undefined)));
    await callBoth();
    await expectBoth(1);
  });

  test.each(['before', 'after'] as const)('sign once when a run ends %s any of its calls', async (when) => {
    for (let at = 1; ; at += 1) {
      const outcome = await outcomeOf(callBoth(crashAt(at, when)(parts().store)));
      await callBoth();
      await expectBoth(at);
      if (outcome === 'whole') break;
      expect(outcome).toContain('ended');
      await run(FIRST_MS + at * DAY_MS);
    }
  });

  test('keep the checkpoint readable when all of them were replaced since it was signed', async () => {
    const { store } = parts();
    for (let n = 0; n < 12; n += 1)
      await store.addCosignature(1, { vkey: `former-${n}`, line: `— former-${n} AAAAAAAA\n` });
    const east = await startWitness('east', [KEY.vkey(ORIGIN)], () => FIRST_MS);
    const west = await startWitness('west', [KEY.vkey(ORIGIN)], () => FIRST_MS);
    witnesses = witnessesOf([north, south, east, west].map(({ line }) => line).join('; '));
    await callBoth();
    const head = await store.lastHead();
    expect(readNote(noteOf(head ?? {}))?.text).toMatch(new RegExp(`^${ORIGIN}\n1\n`));
    // The next checkpoint has room for all of them.
    await run(FIRST_MS + DAY_MS);
    await callBoth();
    const signed = (await store.lastHead())?.cosignatures?.map(({ vkey }) => vkey).sort();
    expect(signed).toEqual([north, south, east, west].map(({ vkey }) => vkey).sort());
    await Promise.all([east.close(), west.close()]);
  });

  test('sign a log that was begun anew as a separate log', async () => {
    await callBoth();
    await beginLog(await newest(), { reason: 'Why', nowMs: FIRST_MS, ...BY_COMMAND });
    await run(FIRST_MS, parts(await newest()));
    await callBoth(await newest());
    await expectBoth(2, await newest());
    expect(north.requests).toEqual(['old 0', 'old 0']);
  });
});

describe('no cosignature is accepted', () => {
  const none = async (what: string | RegExp) => {
    await expect(callBoth()).rejects.toThrow(what);
    expect((await parts().store.lastHead())?.cosignatures?.map(({ vkey }) => vkey)).toEqual([south.vkey]);
  };

  test('by another key, of another checkpoint, or without a valid signature', async () => {
    const [line = '', other = ''] = await (async () => {
      await callBoth();
      const found = (await parts().store.lastHead())?.cosignatures ?? [];
      await collection('root_heads').updateMany({}, { $unset: { cosignatures: '' } } as never);
      return [north, south].map(({ vkey }) => found.find((one) => one.vkey === vkey)?.line ?? '');
    })();
    await run(FIRST_MS + DAY_MS);
    for (const text of [other, line, 'x\n', '', `${line}${other}`]) {
      north.faults.push(
        (made) => made,
        () => ({ status: 200, text }),
      );
      await none('north: its response has no valid signature by its key');
    }
    north.faults.push(() => ({ status: 200, text: 'x'.repeat(20_000) }));
    await none('north: the body is over 16384 bytes');
  });

  test('from a witness that has signed more of the log than exists, or another root of its size', async () => {
    await run(FIRST_MS + DAY_MS);
    await callBoth();
    const first = (await parts().store.headOf(1))?._id;
    expect(first).toBe(1);
    for (const [name, _id] of [
      ['root_records', 1],
      ['root_heads', 2],
    ] as const)
      await collection(name).deleteOne({ _id: _id as never });
    await collection('root_heads').updateMany({}, { $unset: { cosignatures: '' } } as never);
    await expect(callBoth()).rejects.toThrow('north: it has signed size 2, the log has 1: the store was set back');
    // Another day takes the place of the one that is lost.
    await run(FIRST_MS + 2 * DAY_MS);
    const what = 'it responded with 409: the log does not extend the one that it has signed';
    await expect(callBoth()).rejects.toThrow(`north: ${what}; south: ${what}`);
    expect((await parts().store.lastHead())?.cosignatures).toBeUndefined();
  });

  test('with an invalid LEDGER_WITNESSES', () => {
    const { line } = north;
    for (const [text, what] of [
      [line.replace('+', '-'), 'no witness NAME KEY URL'],
      [line.replace('http:', 'ftp:'), 'no URL of http or https'],
      [line.slice(0, line.lastIndexOf(' ')), 'witness north has no URL'],
      [`${line};${line}`, 'a key twice'],
      ['wittness x', 'no line of a policy'],
    ] as const)
      expect(() => witnessesOf(text)).toThrow(new RegExp(`^LEDGER_WITNESSES: .*${what}$`));
    expect(witnessesOf('')).toEqual([]);
  });
});
