import fc from 'fast-check';
import type { Call, Schema } from './document.js';
import { oddTexts, valuesOf, wellFormed, withOneError } from './values.js';

/** The caller, by token. */
export type Who = 'guest' | 'user' | 'admin' | 'forged';

/** A text of a path or query: generated, or filled in when it is sent. */
type Text = { text: string } | { own: true } | { known: number } | { raw: string };

/** A request without the values that only the running system has. */
export interface Recipe {
  call: Call;
  who: Who;
  path: Readonly<Record<string, Text>>;
  query: readonly (readonly [string, Text])[];
  body: { text: string; type: string } | null;
  idempotencyKey: string | null;
}

const JSON_TYPE = 'application/json';
const TOO_DEEP = `${'['.repeat(40)}${']'.repeat(40)}`;
const TOO_LARGE = JSON.stringify({ text: 'x'.repeat(70_000) });
/** Invalid percent encodings, and some valid ones. */
const RAW = ['%ff', '%zz', '%00', '%2e%2e%2f', 'a%2fb', '%C3%28'];

const textsOf = (schema: Schema) => valuesOf(schema).map((value) => ({ text: wellFormed(String(value)) }));
const own: fc.Arbitrary<Text> = fc.constant({ own: true });
const known: fc.Arbitrary<Text> = fc.nat(9_999).map((at) => ({ known: at }));

/** A path segment; none that a browser would resolve to another path. */
function segments(schema: Schema): fc.Arbitrary<Text> {
  const odd = oddTexts.filter((text) => !/^\.{0,2}$/.test(text)).map((text) => ({ text }));
  return fc.oneof(
    { weight: 8, arbitrary: own },
    { weight: 6, arbitrary: known },
    { weight: 3, arbitrary: textsOf(schema).filter(({ text }) => !/^\.{0,2}$/.test(text)) },
    { weight: 2, arbitrary: odd },
    { weight: 1, arbitrary: fc.constantFrom(...RAW).map((raw) => ({ raw })) },
  );
}

function queries({ parameters = [] }: Call): fc.Arbitrary<Recipe['query']> {
  const declared = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema, required }) => {
      const values = fc.oneof(
        { weight: 6, arbitrary: textsOf(schema) },
        { weight: 2, arbitrary: oddTexts.map((text) => ({ text })) },
        { weight: 1, arbitrary: known },
      );
      const times = fc.constantFrom(...(required ? [1, 1, 1, 1, 0, 2] : [1, 1, 0, 0, 0, 2]));
      return times
        .chain((count) => fc.array(values, { minLength: count, maxLength: count }))
        .map((all) => all.map((one) => [name, one] as const));
    });
  const unknownParameters = fc
    .oneof(
      { weight: 12, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(fc.tuple(oddTexts, oddTexts), { maxLength: 2 }) },
    )
    .map((pairs) => pairs.map(([name, text]) => [name, { text }] as const));
  return fc.tuple(...declared, unknownParameters).map((parts) => parts.flat());
}

function bodies({ method, requestBody }: Call): fc.Arbitrary<Recipe['body']> {
  const json = (value: unknown) => ({ text: JSON.stringify(value) ?? 'null', type: JSON_TYPE });
  const none = fc.constant(null);
  if (method === 'GET') return none;
  const schema = requestBody?.content[JSON_TYPE]?.schema;
  const anything = fc.jsonValue({ maxDepth: 4 }).map(json);
  const odd = fc.oneof(
    fc
      .constantFrom('', '{', '{}x', '\ufeff{}', '"text"', TOO_DEEP, TOO_LARGE)
      .map((text) => ({ text, type: JSON_TYPE })),
    oddTexts.map((text) => ({ text, type: JSON_TYPE })),
    fc
      .constantFrom('text/plain', 'application/xml', 'application/json; charset=utf-16')
      .map((type) => ({ text: '{}', type })),
  );
  if (!schema)
    return fc.oneof(
      { weight: 6, arbitrary: none },
      { weight: 3, arbitrary: fc.constant(json({})) },
      { weight: 1, arbitrary: anything },
      { weight: 1, arbitrary: odd },
    );
  const good = valuesOf(schema);
  return fc.oneof(
    { weight: 8, arbitrary: good.map(json) },
    { weight: 6, arbitrary: withOneError(good).map(json) },
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: odd },
    { weight: 1, arbitrary: none },
  );
}

/** Requests of one call. Most are nearly valid, since these reach furthest. */
export function requestsOf(call: Call): fc.Arbitrary<Recipe> {
  const inPath = (call.parameters ?? []).filter((parameter) => parameter.in === 'path');
  const who: Who[] = ['guest', 'user', 'user', 'user', 'forged', 'admin', 'admin'];
  return fc.record({
    call: fc.constant(call),
    who: fc.constantFrom(...who),
    path: fc.record(Object.fromEntries(inPath.map(({ name, schema }) => [name, segments(schema)]))),
    query: queries(call),
    body: bodies(call),
    idempotencyKey: fc.option(fc.oneof(fc.constantFrom('one', 'two'), fc.uuid(), oddTexts), { freq: 5, nil: null }),
  });
}
