import { alternativesOf, type JsonSchema, type OneSchema, valuesOf } from './json-schema.js';
import type { MessageKind } from './messages.js';

/** Two messages of one schema: all that may stand in it, and what must. */
export interface Golden {
  full: unknown;
  least: unknown;
}

/** Texts for the patterns of the contracts; the first that fits is taken. The very first is a referral code, which no pattern says. */
const TEXTS = [
  'CORD2026',
  'text',
  'en',
  '5',
  'a'.repeat(32),
  '2026-11-22T00:00:00.000Z',
  '2026-11-22',
  'https://cord.example/',
  '0-5-'.concat('a'.repeat(32)),
  '5-'.concat('a'.repeat(32)),
  'open-5-'.concat('a'.repeat(32)),
  'held-'.concat('5'.repeat(15), '-', 'a'.repeat(32)),
  '4'.repeat(44),
  '4'.repeat(88),
  'a longer text',
  'a'.repeat(43),
  'claims',
  'i.'.concat('a'.repeat(32)),
  '23:00',
  'mfe_tasks',
];

/**
 * The golden messages of a schema: the same ones from run to run.
 * @param before of requests, what the release before took: a sender uses what is new one release after its reader, and
 *   leaves out what is optional anew one release after, too
 */
export function goldenOf(kind: MessageKind, schema: JsonSchema, before?: JsonSchema): Golden {
  const sent = kind === 'request' && before ? asSentBefore(schema, before) : schema;
  return { full: sampleOf(sent, true), least: sampleOf(sent, false) };
}

function sampleOf(schema: JsonSchema, full: boolean): unknown {
  const values = valuesOf(schema);
  if (values) return values[0];
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 1) {
    const nothing = alternatives.find(({ type }) => type === 'null');
    const chosen = (full ? undefined : nothing) ?? alternatives.find(({ type }) => type !== 'null');
    return sampleOf(chosen as OneSchema, full);
  }
  return sampleOfOne(alternatives[0] as OneSchema, full);
}

function sampleOfOne(schema: OneSchema, full: boolean): unknown {
  switch (schema.type) {
    case 'object':
      return objectOf(schema, full);
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 0, full ? 1 : 0) }, () =>
        sampleOf(schema.items ?? {}, full),
      );
    case 'string':
      return textOf(schema);
    case 'number':
    case 'integer':
      return Math.min(Math.max(schema.minimum ?? 1, 1), schema.maximum ?? 1);
    case 'boolean':
      return full;
    case 'null':
      return null;
    default:
      return 'anything';
  }
}

/** What is deprecated is written still, by this release for the last time. */
function objectOf(schema: JsonSchema, full: boolean): Record<string, unknown> {
  const named = Object.entries(schema.properties ?? {}).filter(
    ([name, field]) => full || schema.required?.includes(name) || field.deprecated,
  );
  const rest = schema.additionalProperties;
  const isMap = typeof rest === 'object' && Object.keys(rest).length > 0;
  return {
    ...Object.fromEntries(named.map(([name, field]) => [name, sampleOf(field, full)])),
    ...(isMap && full ? { [textOf(schema.propertyNames ?? {})]: sampleOf(rest, full) } : {}),
  };
}

function textOf(schema: JsonSchema): string {
  const { pattern, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const values = valuesOf(schema);
  if (values) return String(values[0]);
  const fits = (text: string) =>
    (pattern === undefined || new RegExp(pattern).test(text)) &&
    (format !== 'uri' || text.startsWith('https:')) &&
    text.length >= minLength &&
    text.length <= maxLength;
  const found = TEXTS.find(fits);
  if (found === undefined)
    throw new Error(`no text for ${JSON.stringify(schema)}: add one to TEXTS of record/golden.ts`);
  return found;
}

function asSentBefore(schema: JsonSchema, before: JsonSchema): JsonSchema {
  if (schema.type !== 'object' || before.type !== 'object') return schema;
  const known = Object.entries(schema.properties ?? {}).filter(([name]) => before.properties?.[name]);
  const properties = Object.fromEntries(
    known.map(([name, field]) => [name, asSentBefore(field, before.properties?.[name] as JsonSchema)]),
  );
  const required = [...(schema.required ?? []), ...(before.required ?? [])].filter((name) => name in properties);
  return { ...schema, properties, required };
}
