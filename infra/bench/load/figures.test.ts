import { mongo } from 'mongoose';
import { describe, expect, test } from 'vitest';
import { between, byKind, perNode, referrersOf } from './figures.ts';
import { majorityWriteIn, Written } from './store-tap.ts';

const MINUTE_MS = 60_000;

describe('what a node writes', () => {
  const written = new Written();
  const add = (kind: string, times: number) => {
    for (let n = 0; n < times; n += 1) written.add({ kind, bytes: 100 });
  };
  const start = written.copy();
  add('leases findAndModify', 30);
  const idle = written.copy();
  add('leases findAndModify', 60);
  add('accounts update', 320);
  const before = between(start, idle, MINUTE_MS / 2);
  const running = between(idle, written.copy(), MINUTE_MS);

  test('is what was written beyond the same time without it, a node and minute, and bytes a day', () => {
    expect(perNode({ before, running, nodes: 40 })).toEqual({ writesPerMinute: 8, bytesPerDay: 8 * 100 * 1_440 });
    expect(perNode({ before, running: { ...running, ms: MINUTE_MS * 2 }, nodes: 40 }).writesPerMinute).toBe(3.25);
  });

  test('is listed by kind, the largest first, without what others write', () => {
    expect(byKind({ before, running, nodes: 40 })).toEqual([
      ['accounts update', 8],
      ['leases findAndModify', 0],
    ]);
  });
});

test('a share of the nodes is invited by the others in turn, and somebody by nobody', () => {
  expect(referrersOf(5, 0.6)).toEqual([null, null, 0, 1, 0]);
  expect(referrersOf(3, 0)).toEqual([null, null, null]);
  expect(() => referrersOf(4, 1)).toThrow('--referred');
});

describe('a message to the store', () => {
  const majority = { w: 'majority', j: true };
  const update = { update: 'accounts', updates: [{ q: { _id: 'a' }, u: { $set: { a: 1 } } }], $db: 'cord_mining' };

  test('is a write when it is one and waits for a majority, with its whole length', () => {
    const sent = message([body({ ...update, writeConcern: majority })]);
    expect(majorityWriteIn(sent)).toEqual({ kind: 'cord_mining.accounts update', bytes: sent.length });
    expect(majorityWriteIn(message([body({ ...update, writeConcern: { w: 1 } })]))).toBeNull();
    expect(majorityWriteIn(message([body(update)]))).toBeNull();
    expect(majorityWriteIn(message([body({ find: 'accounts', $db: 'cord_mining' })]))).toBeNull();
    expect(majorityWriteIn(message([body(update)], 2_004))).toBeNull();
  });

  test('is found behind a sequence of documents', () => {
    const command = { insert: 'entries', writeConcern: majority, $db: 'cord_mining' };
    const sent = message([sequence('documents', [{ _id: 'x' }, { _id: 'y' }]), body(command)]);
    expect(majorityWriteIn(sent)?.kind).toBe('cord_mining.entries insert');
  });
});

/** One message of the wire protocol. */
function message(sections: Buffer[], opCode = 2_013): Buffer {
  const head = Buffer.alloc(20);
  const whole = Buffer.concat([head, ...sections]);
  whole.writeInt32LE(whole.length, 0);
  whole.writeInt32LE(opCode, 12);
  return whole;
}

function body(command: object): Buffer {
  return Buffer.concat([Buffer.from([0]), mongo.BSON.serialize(command)]);
}

function sequence(name: string, documents: object[]): Buffer {
  const content = Buffer.concat([Buffer.from(`${name}\0`), ...documents.map((one) => mongo.BSON.serialize(one))]);
  const size = Buffer.alloc(5);
  size[0] = 1;
  size.writeInt32LE(content.length + 4, 1);
  return Buffer.concat([size, content]);
}
