import { describe, expect, it } from 'vitest';
import { ids, isEmbedded, MongoClient, useServer } from '../harness.js';

const server = useServer();

async function matches(pattern: string, texts: string[], options = ''): Promise<unknown[]> {
  const collection = await server.fresh(texts.map((a, n) => ({ _id: n, a }) as never));
  return ids(collection.find({ a: { $regex: pattern, $options: options } } as never).sort({ _id: 1 }) as never);
}

describe('patterns that JavaScript treats differently', () => {
  it.each<[string, string, string[], number[]]>([
    ['b$', '', ['ab\n', 'ab', 'ab\n\n', 'abc'], [0, 1]],
    ['^b', '', ['a\nb', 'b'], [1]],
    ['^b', 'm', ['a\nb', 'b', 'a\rb', 'b\n'], [0, 1, 3]],
    ['^$', 'm', ['a\n', '', 'a\n\nb'], [1, 2]],
    ['a$', 'm', ['a\nb', 'ba', 'a\rb'], [0, 1]],
    ['a.b', '', ['a\nb', 'a\rb', 'a\u2028b', 'axb'], [1, 2, 3]],
    ['a.b', 's', ['a\nb', 'axb'], [0, 1]],
    ['a\\sb', '', ['a b', 'a\u00a0b', 'a\tb'], [0, 2]],
    ['[$^.]', '', ['$', '^', '.', 'x'], [0, 1, 2]],
    ['\\$\\.', '', ['$.', 'x'], [0]],
    ['A', 'i', ['a', 'A', 'b'], [0, 1]],
    ['(?<!x)a(?=b)', '', ['ab', 'xab', 'ac'], [0]],
    ['^(a|b)+c{2,3}$', '', ['abcc', 'abc'], [0]],
  ])('%j with options %j', async (pattern, options, texts, expected) => {
    expect(await matches(pattern, texts, options)).toEqual(expected);
  });
});

describe.runIf(isEmbedded)('a pattern with catastrophic backtracking', () => {
  it.each<[string, object]>([
    ['$regex', { a: { $regex: '(a+)+$' } }],
    ['$in', { a: { $in: [/(a*)*c/] } }],
    ['$not', { a: { $not: /^(a|aa)+$/ } }],
    ['$elemMatch', { list: { $elemMatch: { $regex: '^(a|aa)+(?!.)b' } } }],
  ])('in %s ends with a timeout error that names it, while other connections are served', async (_what, filter) => {
    const text = `${'a'.repeat(39)}!`;
    const collection = await server.fresh([{ a: text, list: [text] }]);
    const other = await MongoClient.connect(server.uri);
    const [error, answered] = await Promise.all([
      collection
        .find(filter as never)
        .toArray()
        .catch((reason) => reason),
      other.db('admin').command({ ping: 1 }),
    ]);
    expect(answered.ok).toBe(1);
    expect(error).toMatchObject({ code: 50, message: expect.stringContaining('a regular expression') });
    await other.close();
  });
});
