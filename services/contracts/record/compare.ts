import { alternativesOf, type JsonSchema, type OneSchema, valuesOf } from './json-schema.js';

/** One incompatibility between two schemas of a message. */
export interface Clash {
  /** Path of the field, `entries[].id`; empty for the message itself. */
  field: string;
  what: string;
}

type Bound = 'minimum' | 'exclusiveMinimum' | 'minLength' | 'minItems';
type Ceiling = 'maximum' | 'exclusiveMaximum' | 'maxLength' | 'maxItems';
const BOUNDS: readonly Bound[] = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'];
const CEILINGS: readonly Ceiling[] = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'];

/**
 * Returns what one schema writes and a reader of another rejects: narrowed values, newly required fields and, in closed
 * objects, unknown fields. What cannot be decided counts as rejected.
 */
export function refusals(written: JsonSchema, reader: JsonSchema, field = ''): Clash[] {
  const [from, to] = [alternativesOf(written), alternativesOf(reader)];
  return from.flatMap((one) => {
    const tried = to.map((other) => refusedByOne(one, other, field));
    if (tried.some((clashes) => clashes.length === 0)) return [];
    // Among several alternatives the nearest one is the most informative.
    return tried.reduce((nearest, clashes) => (depth(clashes) > depth(nearest) ? clashes : nearest));
  });
}

const depth = (clashes: Clash[]) => Math.max(...clashes.map(({ field }) => field.length)) - clashes.length;

function refusedByOne(written: OneSchema, reader: OneSchema, field: string): Clash[] {
  const clash = (what: string): Clash[] => [{ field, what }];
  const values = valuesOf(reader);
  const writes = valuesOf(written);
  if (writes !== null) {
    const lost = writes.filter((value) => (values ? !values.includes(value) : !isOfType(value, reader)));
    return lost.length > 0 ? clash(`narrowed: takes ${lost.map((value) => JSON.stringify(value))} no more`) : [];
  }
  if (values !== null) return clash(`narrowed to ${values.map((value) => JSON.stringify(value))}`);
  if (reader.type === undefined) return [];
  if (written.type !== reader.type && !(written.type === 'integer' && reader.type === 'number'))
    return clash(`narrowed: was ${written.type ?? 'anything'}, is ${reader.type}`);
  return [
    ...bounds(written, reader).flatMap(clash),
    ...(reader.type === 'object' ? objectRefusals(written, reader, field) : []),
    ...(reader.type === 'array' ? refusals(written.items ?? {}, reader.items ?? {}, `${field}[]`) : []),
  ];
}

function isOfType(value: unknown, { type }: OneSchema): boolean {
  if (type === undefined) return true;
  if (value === null) return type === 'null';
  if (typeof value === 'number') return type === 'number' || (type === 'integer' && Number.isInteger(value));
  return typeof value === type;
}

function bounds(written: JsonSchema, reader: JsonSchema): string[] {
  const found: string[] = [];
  for (const key of ['pattern', 'format', 'multipleOf'] as const)
    if (reader[key] !== undefined && reader[key] !== written[key]) found.push(`narrowed: ${key} is ${reader[key]}`);
  for (const key of BOUNDS)
    if ((reader[key] ?? -Infinity) > (written[key] ?? (key.startsWith('min') && key !== 'minimum' ? 0 : -Infinity)))
      found.push(`narrowed: ${key} is ${reader[key]}`);
  for (const key of CEILINGS)
    if ((reader[key] ?? Infinity) < (written[key] ?? Infinity)) found.push(`narrowed: ${key} is ${reader[key]}`);
  return found;
}

function objectRefusals(written: JsonSchema, reader: JsonSchema, field: string): Clash[] {
  const [from, to] = [written.properties ?? {}, reader.properties ?? {}];
  const required = (reader.required ?? []).filter((name) => !(written.required ?? []).includes(name));
  const rest = reader.additionalProperties;
  const ofRest = typeof rest === 'object' ? rest : {};
  const names = Object.keys(from);
  return [
    ...required.map((name) => ({
      field: below(field, name),
      what: name in from ? 'is required now' : 'is new and required',
    })),
    ...names.flatMap((name) => {
      const read = to[name];
      if (read) return refusals(from[name] as JsonSchema, read, below(field, name));
      return rest === false ? [{ field: below(field, name), what: 'removed, and refused now' }] : [];
    }),
    ...(rest === false && written.additionalProperties !== false
      ? [{ field, what: 'narrowed: refuses unknown fields now' }]
      : []),
    ...(typeof written.additionalProperties === 'object'
      ? refusals(written.additionalProperties, ofRest, below(field, '*'))
      : []),
    ...(reader.propertyNames
      ? refusals(written.propertyNames ?? { type: 'string' }, reader.propertyNames, below(field, '(key)'))
      : []),
  ];
}

/**
 * Returns what a reader of the previous release needs and today's writer may omit. A field is removed over two releases:
 * in the first it is optional and `deprecated`, still written and no longer read; in the second it is gone.
 * @param mayBeLeftOut for requests: a sender may omit a field one release after its reader
 */
export function omissions(before: JsonSchema, today: JsonSchema, mayBeLeftOut: boolean, field = ''): Clash[] {
  const [read, written] = [objectsOf(before), objectsOf(today)];
  const nulls = !mayBeLeftOut && !takesNull(before) && takesNull(today) ? [{ field, what: 'may be null now' }] : [];
  const inner = written.flatMap((object) => {
    if (object.type === 'array')
      return read
        .filter(({ type }) => type === 'array')
        .flatMap(({ items }) => omissions(items ?? {}, object.items ?? {}, mayBeLeftOut, `${field}[]`));
    const tried = read
      .filter(({ type }) => type === 'object')
      .map((old) => objectOmissions(old, object, mayBeLeftOut, field));
    return tried.length === 0
      ? []
      : tried.reduce((least, clashes) => (clashes.length < least.length ? clashes : least));
  });
  return [...nulls, ...inner];
}

const objectsOf = (schema: JsonSchema) =>
  alternativesOf(schema).filter(({ type }) => type === 'object' || type === 'array');
const takesNull = (schema: JsonSchema) => alternativesOf(schema).some(({ type }) => type === 'null');

function objectOmissions(before: JsonSchema, today: JsonSchema, mayBeLeftOut: boolean, field: string): Clash[] {
  return Object.entries(before.properties ?? {}).flatMap(([name, old]) => {
    const present = today.properties?.[name];
    const path = below(field, name);
    const wasRequired = before.required?.includes(name) ?? false;
    if (!present) return old.deprecated && !wasRequired ? [] : [{ field: path, what: 'removed' }];
    const leftOut = wasRequired && !today.required?.includes(name) && !present.deprecated && !mayBeLeftOut;
    return [
      ...(leftOut ? [{ field: path, what: 'may be absent now' }] : []),
      ...omissions(old, present, mayBeLeftOut, path),
    ];
  });
}

function below(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}
