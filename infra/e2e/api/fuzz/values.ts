import fc from 'fast-check';
import type { Schema } from './document.js';

const DATES = { min: new Date(0), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true };
/** Maximum length of lists and texts without a bound in the schema. */
const ITEMS_MAX = 4;
const CHARS_MAX = 40;

/** Generates values that a schema of the document allows. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return fc.oneof(...either.map(valuesOf));
  if (schema.allOf) return merged(schema.allOf);
  const types = [schema.type ?? []].flat();
  if (types.length > 1) return fc.oneof(...types.map((type) => valuesOf({ ...schema, type })));
  switch (types[0]) {
    case 'string':
      return texts(schema);
    case 'integer':
      return fc.integer(wholeIn(rangeOf(schema)));
    case 'number':
      return fc.double({ ...rangeOf(schema), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? ITEMS_MAX, ITEMS_MAX)),
      });
    case 'object':
      return objects(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objects({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valuesOf(field)]));
  const known = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) as never[] });
  if (typeof additionalProperties !== 'object') return known;
  const more = fc.dictionary(fc.string({ maxLength: 8 }), valuesOf(additionalProperties), { maxKeys: ITEMS_MAX });
  return fc.tuple(more, known).map(([open, fixed]) => ({ ...open, ...fixed }));
}

function merged(parts: readonly Schema[]): fc.Arbitrary<unknown> {
  return fc.tuple(...parts.map(valuesOf)).map((values) => Object.assign({}, ...values));
}

function texts({ format, pattern, minLength = 0, maxLength }: Schema): fc.Arbitrary<string> {
  const most = Math.max(minLength, Math.min(maxLength ?? CHARS_MAX, CHARS_MAX));
  if (format === 'date-time') return fc.date(DATES).map((date) => date.toISOString());
  if (format === 'date') return fc.date(DATES).map((date) => date.toISOString().slice(0, 10));
  if (format === 'uri') return fc.webUrl();
  if (pattern !== undefined) {
    const matching = matchingText(pattern);
    if (matching) return matching;
  }
  return fc.string({ unit: 'grapheme', minLength, maxLength: most });
}

/** Null for a pattern from which no text can be generated, for example with a lookahead. */
function matchingText(pattern: string): fc.Arbitrary<string> | null {
  try {
    const arbitrary = fc.stringMatching(new RegExp(pattern));
    fc.sample(arbitrary, { numRuns: 1, seed: 1 });
    return arbitrary;
  } catch {
    return null;
  }
}

function rangeOf({ minimum, exclusiveMinimum, maximum }: Schema): { min: number; max: number } {
  const min = minimum ?? (exclusiveMinimum === undefined ? -1_000_000_000 : exclusiveMinimum + 1);
  return { min: Math.max(min, -2_147_483_648), max: Math.min(maximum ?? 1_000_000_000, 2_147_483_647) };
}

/** Replaces lone surrogates, which no URL can contain. */
export const wellFormed = (text: string): string => Buffer.from(text).toString();

const wholeIn = ({ min, max }: { min: number; max: number }) => ({ min: Math.ceil(min), max: Math.floor(max) });

/** Texts that no contract expects. */
export const oddTexts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('0', '-1', '1.5', '1e3', '1e400', 'NaN', 'null', '[object Object]', '__proto__', 'constructor', ' '),
  fc.constantFrom('$ne', '{"$gt":""}', "' or 1=1 --", '\u0000', '\u202e', '<b>', '../..', 'a'.repeat(300), '\ufffd'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: CHARS_MAX }).map(wellFormed),
);

/** A value with one error: a field that is changed, missing, or unknown. */
export function withOneError(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const odd = fc.oneof(fc.jsonValue({ maxDepth: 3 }), oddTexts, fc.constantFrom(-1, 1.5, 1e308, 2 ** 53, true, {}, []));
  return fc.tuple(values, fc.nat(), odd, fc.constantFrom('other', 'gone', 'more')).map(([value, at, other, how]) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return other;
    const names = Object.keys(value);
    const name = names[at % Math.max(1, names.length)];
    if (how === 'more' || name === undefined) return { ...value, unknownField: other };
    const { [name]: _, ...rest } = value as Record<string, unknown>;
    return how === 'gone' ? rest : { ...rest, [name]: other };
  });
}
