import { describe, expect, it } from 'vitest';
import { ACCUMULATORS } from '../aggregate/accumulators.js';
import { EXPRESSIONS } from '../aggregate/operators.js';
import { STAGES } from '../aggregate/stages.js';
import * as capabilities from '../capabilities.js';
import { HANDLERS } from '../commands/dispatch.js';
import { EXPLAINABLE } from '../commands/explain.js';
import { BSON, codeOf, isEmbedded, useServer } from './harness.js';

/* What the embedded server leaves out it refuses by name; a real server knows most of it, so this file is not for one. */
const server = useServer();

async function refusal(command: object, db = server.db): Promise<{ code: number; message: string }> {
  const error = await db.command(command as never).then(
    () => ({ code: 0, message: 'no error' }),
    (reason) => reason,
  );
  return { code: error.code, message: error.message };
}

describe.runIf(isEmbedded)('an unsupported or invalid request gets an error', () => {
  it.each<[string, object, number, RegExp]>([
    ['a command', { mapReduce: 'a' }, 59, /mapReduce/],
    [
      'sign-in, of a server that wants none',
      { saslStart: 1, mechanism: 'SCRAM-SHA-256', payload: '' },
      18,
      /Authentication failed/,
    ],
    ['another mechanism of sign-in', { saslStart: 1, mechanism: 'PLAIN', payload: '' }, 334, /PLAIN/],
    ['a name that objects have', { constructor: 1 }, 59, /constructor/],
    ['an unknown option', { find: 'a', frobnicate: 1 }, 40415, /find\.frobnicate/],
    ['an option of MongoDB', { find: 'a', collation: { locale: 'en' } }, 115, /collation/],
    ['a tailable cursor', { find: 'a', tailable: true }, 115, /tailable/],
    ['a capped collection', { create: 'a', capped: true, size: 100 }, 115, /capped/],
    ['a view', { create: 'a', viewOn: 'b', pipeline: [] }, 115, /viewOn|pipeline/],
    ['a validator', { create: 'a', validator: {} }, 115, /validator/],
    ['a text index', { createIndexes: 'a', indexes: [{ key: { a: 'text' }, name: 'x' }] }, 115, /text/],
    ['a hashed index', { createIndexes: 'a', indexes: [{ key: { a: 'hashed' }, name: 'x' }] }, 115, /hashed/],
    ['a wildcard index', { createIndexes: 'a', indexes: [{ key: { '$**': 1 }, name: 'x' }] }, 115, /\$\*\*/],
    [
      'an index option of MongoDB',
      { createIndexes: 'a', indexes: [{ key: { a: 1 }, name: 'x', collation: {} }] },
      115,
      /collation/,
    ],
    ['an unknown index option', { createIndexes: 'a', indexes: [{ key: { a: 1 }, name: 'x', foo: 1 }] }, 197, /foo/],
    ['an update by a pipeline', { findAndModify: 'a', query: {}, update: [{ $set: { a: 1 } }] }, 115, /pipeline/],
    ['a transaction', { find: 'a', txnNumber: 1, startTransaction: true, autocommit: false }, 20, /Transaction/],
    ['a stage', { aggregate: 'a', pipeline: [{ $lookup: {} }], cursor: {} }, 40324, /\$lookup/],
    ['a change stream', { aggregate: 'a', pipeline: [{ $changeStream: {} }], cursor: {} }, 40324, /\$changeStream/],
    [
      'an expression',
      { aggregate: 'a', pipeline: [{ $project: { a: { $dateTrunc: {} } } }], cursor: {} },
      168,
      /\$dateTrunc/,
    ],
    [
      'an accumulator',
      { aggregate: 'a', pipeline: [{ $group: { _id: 1, a: { $stdDevPop: '$a' } } }], cursor: {} },
      15952,
      /\$stdDevPop/,
    ],
    ['a projection operator', { find: 'a', projection: { a: { $slice: 1 } } }, 2, /\$slice/],
    ['a computed projection in find', { find: 'a', projection: { a: '$b' } }, 2, /'a'/],
    ['$where', { find: 'a', filter: { $where: '1' } }, 2, /\$where/],
    ['$text', { find: 'a', filter: { $text: { $search: 'x' } } }, 2, /\$text/],
    ['a geographic operator', { find: 'a', filter: { a: { $near: [1, 1] } } }, 2, /\$near/],
    ['a snapshot read', { find: 'a', readConcern: { level: 'snapshot' } }, 115, /snapshot/],
    ['two copies of a write', { insert: 'a', documents: [{}], writeConcern: { w: 2 } }, 2, /'w' > 1/],
    ['a bad collection name', { find: 'a$b' }, 73, /a\$b/],
    ['a system collection', { find: 'system.users' }, 73, /system\.users/],
    ['an empty batch', { insert: 'a', documents: [] }, 16, /batch sizes/],
    ['a wrong type of option', { find: 'a', limit: 'x' }, 14, /limit/],
  ])('%s', async (_says, command, code, message) => {
    const refused = await refusal(command);
    expect(refused.code ?? 0).toBe(code);
    expect(refused.message).toMatch(message);
  });

  it('for an unknown hint, unless the collection is missing, as in MongoDB', async () => {
    const { collectionName: find } = await server.fresh([{ _id: 1 } as never]);
    expect(await refusal({ find, hint: 'nope' })).toMatchObject({ code: 2, message: expect.stringMatching(/hint/) });
    expect(await refusal({ find: 'missing', hint: 'nope' })).toEqual({ code: 0, message: 'no error' });
  });

  it('in one statement of a batch, before any statement runs', async () => {
    const collection = await server.fresh([{ _id: 1, a: 0 } as never, { _id: 2, a: 0 } as never]);
    const first = { q: { _id: 1 }, u: { $set: { a: 1 } } };
    const second = { q: { _id: 2 }, u: { $set: { a: 1 } } };
    const update = (...updates: object[]) => refusal({ update: collection.collectionName, updates });
    expect(await update(first, { ...second, foo: 1 })).toMatchObject({ code: 40415 });
    expect(await update(first, { q: second.q })).toMatchObject({ code: 40414 });
    const refused = await update(first, { ...second, collation: { locale: 'en' } });
    expect(refused).toMatchObject({ code: 115, message: expect.stringContaining('collation') });
    const deletes = [{ q: { _id: 1 }, limit: 1 }, { q: { _id: 2 } }];
    expect(await refusal({ delete: collection.collectionName, deletes })).toMatchObject({ code: 40414 });
    expect(await collection.countDocuments({ a: 0 })).toBe(2);
  });

  it.each([
    '\\Aa',
    'a\\z',
    'a\\Z',
    'f\\Qoo\\E',
    '[[:alpha:]]',
    '^a[]]$',
    '\\h',
    '\\R',
    '\\x{61}',
    'a++',
    '(?i)a',
    '(?P<x>a)',
    '(?>a)',
    '(?#a)',
    '\\Ka',
  ])('for the PCRE-only pattern %s, instead of never matching', async (pattern) => {
    const refused = await refusal({ find: 'a', filter: { a: { $regex: pattern } } });
    expect(refused).toMatchObject({ code: 2, message: expect.stringMatching(/^regex form .* is not supported/) });
  });

  it('for unsupported parts of supported operators', async () => {
    const stage = (spec: object) => refusal({ aggregate: 'a', pipeline: [spec], cursor: {} });
    expect(await stage({ $project: { a: { $trunc: [19.25, 1] } } })).toMatchObject({ code: 16020 });
    const filter = { input: [], cond: true, limit: 1 };
    expect(await stage({ $project: { a: { $filter: filter } } })).toMatchObject({ code: 28647 });
    expect(await stage({ $unwind: { path: '$a', includeArrayIndex: 'b' } })).toMatchObject({ code: 115 });
  });

  it('for a hint without a matching index', async () => {
    const collection = await server.fresh([{ a: 1 }]);
    expect(await codeOf(collection.find({}).hint('nope').toArray())).toBe(2);
  });

  it('for deprecated BSON types, by name', async () => {
    const collection = server.db.collection('types');
    const error = await collection.insertOne({ a: new BSON.Code('1', { b: 1 }) }).catch((reason) => reason);
    expect(error).toMatchObject({ code: 2, message: expect.stringContaining('javascriptWithScope') });
    expect(await codeOf(collection.insertOne({ a: new BSON.BSONSymbol('x') }))).toBe(2);
  });
});

describe('the capability tables', () => {
  it('list exactly the commands that are dispatched', () => {
    expect(Object.keys(HANDLERS).sort()).toEqual(Object.keys(capabilities.SUPPORTED_COMMANDS).sort());
  });

  it('list exactly the stages, expressions, accumulators and explainable commands that exist', () => {
    expect([...STAGES.keys()]).toEqual(capabilities.SUPPORTED_STAGES);
    expect([...EXPRESSIONS.keys()].sort()).toEqual([...capabilities.SUPPORTED_EXPRESSIONS].sort());
    expect([...Object.keys(ACCUMULATORS), '$count'].sort()).toEqual([...capabilities.SUPPORTED_ACCUMULATORS].sort());
    expect(EXPLAINABLE).toEqual(capabilities.EXPLAINABLE_COMMANDS);
  });

  it.each(capabilities.SUPPORTED_QUERY_OPERATORS)('list the query operator %s, which is accepted', async (operator) => {
    const OPERANDS: Record<string, unknown> = {
      $in: [1],
      $nin: [1],
      $all: [1],
      $mod: [2, 1],
      $not: { $gt: 1 },
      $type: 'int',
      $regex: 'a',
      $elemMatch: { $gt: 1 },
      $and: [{}],
      $or: [{}],
      $nor: [{ z: 1 }],
      $expr: true,
    };
    const isTopLevel = capabilities.TOP_LEVEL_QUERY_OPERATORS.includes(operator);
    const operand = OPERANDS[operator] ?? 1;
    const filter = isTopLevel
      ? { [operator]: operand }
      : operator === '$options'
        ? { a: { $regex: 'a', $options: 'i' } }
        : { a: { [operator]: operand } };
    expect(
      await codeOf(
        server.db
          .collection('operators')
          .find(filter as never)
          .toArray(),
      ),
    ).toBe('no error');
  });

  it.each(capabilities.SUPPORTED_UPDATE_OPERATORS)(
    'list the update operator %s, which is accepted',
    async (operator) => {
      const OPERANDS: Record<string, unknown> = { $rename: 'b', $pullAll: [1], $bit: { and: 1 }, $currentDate: true };
      const update = { [operator]: { a: OPERANDS[operator] ?? 1 } };
      expect(await codeOf(server.db.collection('operators').updateOne({ none: true }, update as never))).toBe(
        'no error',
      );
    },
  );
});
