import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useServer } from './harness.js';

/* A random program of operations, run on the server and on a plain array; after each step both must hold the same. */
const server = useServer({ maxPoolSize: 8 });

interface Row {
  _id: number;
  k?: number;
  n?: number;
  list?: number[];
}

type Step =
  | { do: 'insert'; row: Row }
  | { do: 'inc' | 'set' | 'unset' | 'push' | 'pull'; id: number; by: number }
  | { do: 'upsert'; id: number; by: number }
  | { do: 'cas'; id: number; was: number; by: number }
  | { do: 'incMany' | 'deleteMany'; from: number; to: number }
  | { do: 'delete'; id: number }
  | { do: 'takeLeast'; from: number }
  | { do: 'replace'; id: number; k: number };

const small = fc.integer({ min: 0, max: 9 });
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      do: fc.constant('insert' as const),
      row: fc.record(
        { _id: small, k: fc.integer({ min: 0, max: 15 }), n: small, list: fc.array(small, { maxLength: 3 }) },
        { requiredKeys: ['_id'] },
      ),
    }),
    weight: 5,
  },
  {
    arbitrary: fc.record({
      do: fc.constantFrom('inc' as const, 'set' as const, 'unset' as const, 'push' as const, 'pull' as const),
      id: small,
      by: small,
    }),
    weight: 5,
  },
  fc.record({ do: fc.constant('upsert' as const), id: small, by: small }),
  fc.record({ do: fc.constant('cas' as const), id: small, was: small, by: small }),
  fc.record({ do: fc.constantFrom('incMany' as const, 'deleteMany' as const), from: small, to: small }),
  fc.record({ do: fc.constant('delete' as const), id: small }),
  fc.record({ do: fc.constant('takeLeast' as const), from: small }),
  fc.record({ do: fc.constant('replace' as const), id: small, k: fc.integer({ min: 0, max: 15 }) }),
);

/** The model: rows in insertion order, k unique where it is there. Each step gives what the server should answer. */
class Model {
  rows: Row[] = [];

  run(step: Step): unknown {
    switch (step.do) {
      case 'insert':
        if (this.find(step.row._id) !== undefined || this.isTaken(step.row.k, step.row._id)) return 11000;
        this.rows.push(structuredClone(step.row));
        return 'ok';
      case 'upsert': {
        const row = this.find(step.id);
        if (row === undefined) this.rows.push({ _id: step.id, n: step.by });
        else row.n = (row.n ?? 0) + step.by;
        return 'ok';
      }
      case 'cas': {
        const row = this.find(step.id);
        if (row?.n !== step.was) return 0;
        row.n = step.by;
        return 1;
      }
      case 'incMany': {
        const hit = this.between(step.from, step.to);
        for (const row of hit) row.n = (row.n ?? 0) + 1;
        return hit.length;
      }
      case 'deleteMany': {
        const hit = this.between(step.from, step.to);
        this.rows = this.rows.filter((row) => !hit.includes(row));
        return hit.length;
      }
      case 'delete': {
        const before = this.rows.length;
        this.rows = this.rows.filter(({ _id }) => _id !== step.id);
        return before - this.rows.length;
      }
      case 'takeLeast': {
        const [least] = this.rows
          .filter(({ n }) => n !== undefined && n >= step.from)
          .sort((a, b) => (a.n as number) - (b.n as number) || a._id - b._id);
        if (least === undefined) return null;
        least.n = (least.n as number) - 1;
        return least._id;
      }
      case 'replace': {
        const row = this.find(step.id);
        if (row === undefined) return 0;
        if (this.isTaken(step.k, step.id)) return 11000;
        this.rows[this.rows.indexOf(row)] = { _id: step.id, k: step.k };
        return 1;
      }
      default:
        return this.change(step.do, this.find(step.id), step.by);
    }
  }

  private change(kind: 'inc' | 'set' | 'unset' | 'push' | 'pull', row: Row | undefined, by: number): unknown {
    if (row === undefined) return 0;
    if (kind === 'set' && this.isTaken(by, row._id)) return 11000;
    if (kind === 'inc') row.n = (row.n ?? 0) + by;
    else if (kind === 'set') row.k = by;
    else if (kind === 'unset') delete row.k;
    else if (kind === 'push') row.list = [...(row.list ?? []), by].slice(-4);
    else if (row.list !== undefined) row.list = row.list.filter((item) => item !== by);
    return 1;
  }

  private find(id: number): Row | undefined {
    return this.rows.find(({ _id }) => _id === id);
  }

  private isTaken(k: number | undefined, id: number): boolean {
    return k !== undefined && this.rows.some((row) => row.k === k && row._id !== id);
  }

  private between(from: number, to: number): Row[] {
    return this.rows.filter(({ n }) => n !== undefined && n >= from && n < to);
  }
}

type Rows = ReturnType<typeof server.db.collection<Row>>;

/** The same step by the driver. */
async function run(collection: Rows, step: Step): Promise<unknown> {
  const matched = (answer: { matchedCount: number }): number => answer.matchedCount;
  switch (step.do) {
    case 'insert':
      await collection.insertOne(step.row);
      return 'ok';
    case 'upsert':
      await collection.updateOne({ _id: step.id }, { $inc: { n: step.by } }, { upsert: true });
      return 'ok';
    case 'cas':
      return matched(await collection.updateOne({ _id: step.id, n: step.was }, { $set: { n: step.by } }));
    case 'incMany':
      return matched(await collection.updateMany({ n: { $gte: step.from, $lt: step.to } }, { $inc: { n: 1 } }));
    case 'deleteMany':
      return (await collection.deleteMany({ n: { $gte: step.from, $lt: step.to } })).deletedCount;
    case 'delete':
      return (await collection.deleteOne({ _id: step.id })).deletedCount;
    case 'takeLeast':
      return (
        (await collection.findOneAndUpdate({ n: { $gte: step.from } }, { $inc: { n: -1 } }, { sort: { n: 1, _id: 1 } }))
          ?._id ?? null
      );
    case 'replace':
      return matched(await collection.replaceOne({ _id: step.id }, { k: step.k }));
    case 'inc':
      return matched(await collection.updateOne({ _id: step.id }, { $inc: { n: step.by } }));
    case 'set':
      return matched(await collection.updateOne({ _id: step.id }, { $set: { k: step.by } }));
    case 'unset':
      return matched(await collection.updateOne({ _id: step.id }, { $unset: { k: '' } }));
    case 'push':
      return matched(
        await collection.updateOne({ _id: step.id }, { $push: { list: { $each: [step.by], $slice: -4 } } }),
      );
    case 'pull':
      return matched(await collection.updateOne({ _id: step.id }, { $pull: { list: step.by } }));
  }
}

describe('a random sequence of operations', () => {
  it('leaves the same data on the server as on a plain array, after every step', async () => {
    const numRuns = process.env.PROOF === '1' ? 300 : 25;
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 20, maxLength: 40 }), async (program) => {
        const collection = (await server.fresh()) as unknown as Rows;
        await collection.createIndexes([
          { key: { k: 1 }, unique: true, sparse: true },
          { key: { n: -1, _id: 1 } },
          { key: { list: 1 } },
        ]);
        const model = new Model();
        for (const step of program) {
          const answer = await run(collection, step).catch((error) => error.code ?? error);
          expect({ step, answer }).toEqual({ step, answer: model.run(step) });
          expect(await collection.find({}, { sort: { _id: 1 } }).toArray()).toEqual(
            [...model.rows].sort((a, b) => a._id - b._id),
          );
        }
        const byIndex = await collection
          .find({ n: { $gte: 0 } })
          .sort({ n: -1, _id: 1 })
          .toArray();
        const wanted = model.rows
          .filter(({ n }) => n !== undefined && n >= 0)
          .sort((a, b) => (b.n as number) - (a.n as number) || a._id - b._id);
        expect(byIndex).toEqual(wanted);
        expect(await collection.countDocuments({ list: 3 })).toBe(
          model.rows.filter(({ list }) => list?.includes(3)).length,
        );
        await (collection as unknown as { drop: () => Promise<boolean> }).drop();
      }),
      { numRuns },
    );
  });
});
