import {
  Binary,
  BSON,
  BSONRegExp,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare } from './compare.js';
import { decode } from './decode.js';
import { encode } from './encode.js';
import { complement, fitKey, keyOf, MAX_KEY_BYTES } from './key.js';
import type { Doc, Value } from './values.js';

/** Numbers that sit where types and precisions meet. */
const EDGES: Value[] = [
  new Double(0),
  new Double(-0),
  new Double(Number.NaN),
  new Double(Number.POSITIVE_INFINITY),
  new Double(Number.NEGATIVE_INFINITY),
  new Double(Number.MAX_VALUE),
  new Double(-Number.MAX_VALUE),
  new Double(Number.MIN_VALUE),
  new Double(0.1),
  new Double(2 ** 53),
  new Double(2 ** 63),
  new Double(-(2 ** 63)),
  new Int32(0),
  new Int32(1),
  new Int32(-1),
  new Int32(2147483647),
  Long.fromBigInt(2n ** 53n),
  Long.fromBigInt(2n ** 53n + 1n),
  Long.fromBigInt(-(2n ** 53n) - 1n),
  Long.MAX_VALUE,
  Long.MIN_VALUE,
  ...[
    '0',
    '-0',
    '0.1',
    '0.10',
    '1',
    '1.0',
    '-1',
    '1E+400',
    '-1E+400',
    '1E-400',
    '-1E-400',
    '1E-6176',
    '9007199254740993',
    '9223372036854775807.5',
    '0.1000000000000000055511151231257827',
    'NaN',
    'Infinity',
    '-Infinity',
    '9.999999999999999999999999999999999E+6144',
    '1.797693134862315708E+308',
  ].map((text) => Decimal128.fromString(text)),
];

const numbers: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom(...EDGES),
  fc.integer().map((value) => new Int32(value)),
  fc.double().map((value) => new Double(value)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  fc
    .tuple(fc.bigInt({ min: -(10n ** 34n) + 1n, max: 10n ** 34n - 1n }), fc.integer({ min: -400, max: 400 }))
    .map(([digits, power]) => Decimal128.fromString(`${digits}E${power}`)),
  // Decimals close to doubles and int64: where a wrong remainder would show.
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => Decimal128.fromStringWithRounding(String(value))),
  fc
    .tuple(fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }), fc.integer({ min: 0, max: 9 }))
    .map(([whole, tenth]) => Decimal128.fromString(`${whole}.${tenth}`)),
);
const bytes = fc.uint8Array({ maxLength: 6 });
const leaves: fc.Arbitrary<Value> = fc.oneof(
  { arbitrary: numbers, weight: 4 },
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('', 'a', 'a\0', 'a\0b', '\uffff', '\u{1f600}'),
  fc.constant(null),
  fc.boolean(),
  fc.date({ noInvalidDate: true }),
  bytes.map((content) => new Binary(content, 0)),
  bytes.map((content) => new Binary(content, 128)),
  fc.uint8Array({ minLength: 12, maxLength: 12 }).map((id) => new ObjectId(id)),
  fc.tuple(fc.nat(), fc.nat()).map(([t, i]) => new Timestamp({ t, i })),
  fc
    .tuple(fc.constantFrom('a', 'ab', ''), fc.constantFrom('', 'i'))
    .map(([pattern, options]) => new BSONRegExp(pattern, options)),
  fc.constantFrom('x', 'y').map((code) => new Code(code)),
  fc.constantFrom<Value>(new MinKey(), new MaxKey()),
);
const names = fc.constantFrom('a', 'b', '10', '9', '__proto__', 'a b');
const values: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaves,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(names, tie('value')), { maxLength: 3 }).map((entries): Doc => new Map(entries)),
  ),
})).value;

const sign = (order: number): number => Math.sign(order);
const RUNS = process.env.PROOF === '1' ? 200_000 : 20_000;

describe('index keys', () => {
  it('sort as their values compare, for all types', () => {
    fc.assert(
      fc.property(values, values, (a, b) => sign(Buffer.compare(keyOf(a), keyOf(b))) === sign(compare(a, b))),
      { numRuns: RUNS },
    );
  });

  it('sort every number exactly: int32, int64, double and Decimal128 against each other', () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => sign(Buffer.compare(keyOf(a), keyOf(b))) === sign(compare(a, b))),
      { numRuns: RUNS },
    );
    for (const a of EDGES)
      for (const b of EDGES) expect(sign(Buffer.compare(keyOf(a), keyOf(b)))).toBe(sign(compare(a, b)));
  });

  it('compose: pairs sort by first value, then by second, ascending or descending', () => {
    fc.assert(
      fc.property(values, values, values, values, fc.boolean(), (a1, b1, a2, b2, isDescending) => {
        const first = (value: Value): Buffer => (isDescending ? complement(keyOf(value)) : keyOf(value));
        const pair = (a: Value, b: Value): Buffer => Buffer.concat([first(a), keyOf(b)]);
        const expected = (isDescending ? -sign(compare(a1, a2)) : sign(compare(a1, a2))) || sign(compare(b1, b2));
        return sign(Buffer.compare(pair(a1, b1), pair(a2, b2))) === expected || expected === 0;
      }),
      { numRuns: RUNS / 2 },
    );
  });

  it('are truncated when too long, and stay equal only for equal values', () => {
    const long = 'x'.repeat(5_000);
    expect(fitKey(keyOf(long)).length).toBe(MAX_KEY_BYTES);
    expect(fitKey(keyOf(`${long}a`)).equals(fitKey(keyOf(`${long}b`)))).toBe(false);
    expect(fitKey(keyOf(long)).equals(fitKey(keyOf(long)))).toBe(true);
  });
});

describe('comparison', () => {
  it('is antisymmetric and transitive', () => {
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        const [low, middle, high] = [a, b, c].sort(compare) as [Value, Value, Value];
        return (
          compare(low, middle) <= 0 &&
          compare(middle, high) <= 0 &&
          compare(low, high) <= 0 &&
          sign(compare(a, b)) === -sign(compare(b, a)) + 0
        );
      }),
      { numRuns: RUNS },
    );
  });

  it('orders types as MongoDB’s manual does', () => {
    const ascending: Value[] = [
      new MinKey(),
      null,
      new Int32(5),
      'a',
      new Map([['a', new Int32(1)]]),
      [new Int32(1)],
      new Binary(Buffer.from('a')),
      new ObjectId(),
      false,
      new Date(0),
      new Timestamp({ t: 1, i: 1 }),
      new BSONRegExp('a', ''),
      new MaxKey(),
    ];
    for (const [place, value] of ascending.entries()) {
      for (const other of ascending.slice(place + 1)) expect(compare(value, other)).toBeLessThan(0);
    }
  });
});

describe('encoded documents', () => {
  const documents = fc.array(fc.tuple(names, values), { maxLength: 5 }).map((entries): Doc => new Map(entries));

  it('decode and encode again to the same bytes, with number types and field order kept', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const written = encode(document);
        const read = decode(written);
        return encode(read).equals(written) && [...read.keys()].join() === [...document.keys()].join();
      }),
      { numRuns: RUNS / 4 },
    );
  });

  it('equal those of the bson library', () => {
    fc.assert(
      fc.property(documents, (document) => encode(document).equals(BSON.serialize(document))),
      { numRuns: RUNS / 4 },
    );
  });

  it('raise a MongoError when truncated or damaged', () => {
    fc.assert(
      fc.property(documents, fc.nat(), fc.nat({ max: 255 }), (document, place, byte) => {
        const written = encode(document);
        const damaged = Buffer.from(written);
        damaged[place % damaged.length] = byte;
        for (const attempt of [written.subarray(0, place % written.length), damaged]) {
          try {
            decode(attempt);
          } catch (error) {
            if ((error as Error).name !== 'MongoError') return false;
          }
        }
        return true;
      }),
      { numRuns: RUNS / 4 },
    );
  });
});
