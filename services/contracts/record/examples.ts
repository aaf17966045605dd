import { alternativesOf, type JsonSchema, type OneSchema, valuesOf } from './json-schema.js';
import { messages, schemaOf } from './messages.js';

/** A complete response of one call: every field that it may have. */
interface Example {
  /** `GET /tasks response` */
  message: string;
  full: unknown;
}

/** Texts for the patterns of the contracts; the first match is used. The very first is a referral code, which no pattern describes. */
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

/** Fields that hold a whole number as text without a pattern: pages calculate with them. */
const WHOLE_NUMBER = /(^s|S)eq$|Nano$/;

/** Returns one example of each response, the same in every run. */
export function examples(): Example[] {
  const answers = messages().filter(({ kind }) => kind === 'answer');
  return answers.map(({ name: message, schema }) => ({ message, full: sampleOf(schemaOf(schema)) }));
}

function sampleOf(schema: JsonSchema): unknown {
  const values = valuesOf(schema);
  if (values) return values[0];
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 1) {
    return sampleOf(alternatives.find(({ type }) => type !== 'null') as OneSchema);
  }
  return sampleOfOne(alternatives[0] as OneSchema);
}

function sampleOfOne(schema: OneSchema): unknown {
  switch (schema.type) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 0, 1) }, () => sampleOf(schema.items ?? {}));
    case 'string':
      return textOf(schema);
    case 'number':
    case 'integer':
      return Math.min(Math.max(schema.minimum ?? 1, 1), schema.maximum ?? 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return 'anything';
  }
}

function objectOf(schema: JsonSchema): Record<string, unknown> {
  const named = Object.entries(schema.properties ?? {});
  const rest = schema.additionalProperties;
  const isMap = typeof rest === 'object' && Object.keys(rest).length > 0;
  return {
    ...Object.fromEntries(
      named.map(([name, field]) => [name, WHOLE_NUMBER.test(name) ? numberIn(field) : sampleOf(field)]),
    ),
    ...(isMap ? { [textOf(schema.propertyNames ?? {})]: sampleOf(rest) } : {}),
  };
}

/** A sample whole number, as text for a text field. */
function numberIn(field: JsonSchema): unknown {
  const sample = sampleOf(field);
  return typeof sample === 'string' ? '5' : sample;
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
    throw new Error(`no text for ${JSON.stringify(schema)}: add one to TEXTS of record/examples.ts`);
  return found;
}
