/** A document of the model store. */
export type Doc = Record<string, unknown> & { _id: string };
export type Filter = Record<string, unknown>;

type Plain = Record<string, unknown>;
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isOperators = (value: unknown): value is Plain =>
  isPlain(value) && Object.keys(value).length > 0 && Object.keys(value).every((name) => name.startsWith('$'));

/** What stands at a dotted path; through lists, all that stands there. */
export function valuesAt(value: unknown, path: string): unknown[] {
  const [name = '', ...rest] = path.split('.');
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, path));
  if (!isPlain(value) || !(name in value)) return [];
  const inner = value[name];
  return rest.length === 0 ? [inner] : valuesAt(inner, rest.join('.'));
}

/** The order of two values of one kind; numbers of both kinds are one. */
export function order(a: unknown, b: unknown): number {
  if (typeof a !== typeof b && !(isNumber(a) && isNumber(b))) return Number.NaN;
  return (a as never) < (b as never) ? -1 : (a as never) > (b as never) ? 1 : 0;
}
const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint';

function same(a: unknown, b: unknown): boolean {
  if (isNumber(a) && isNumber(b)) return order(a, b) === 0;
  if (!isPlain(a) || !isPlain(b)) return a === b;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => same(a[name], b[name]));
}

/** Whether a document fits a filter. @throws Error for an operator that the model does not know */
export function fits(doc: unknown, filter: Filter): boolean {
  return Object.entries(filter).every(([path, wanted]) => {
    if (path === '$or') return (wanted as Filter[]).some((each) => fits(doc, each));
    const values = valuesAt(doc, path);
    if (!isOperators(wanted)) return fitsValue(values, wanted);
    return Object.entries(wanted).every(([operator, operand]) => test(operator, operand, values));
  });
}

function fitsValue(values: unknown[], wanted: unknown): boolean {
  if (wanted === null) return values.length === 0 || values.includes(null);
  return values.some(
    (value) => same(value, wanted) || (Array.isArray(value) && value.some((one) => same(one, wanted))),
  );
}

function test(operator: string, operand: unknown, values: unknown[]): boolean {
  switch (operator) {
    case '$exists':
      return values.length > 0 === operand;
    case '$size':
      return values.some((value) => Array.isArray(value) && value.length === operand);
    case '$elemMatch':
      return values.some((value) => Array.isArray(value) && value.some((one) => fits(one, operand as Filter)));
    case '$in':
      return (operand as unknown[]).some((one) => fitsValue(values, one));
    case '$not':
      return !Object.entries(operand as Filter).every(([inner, one]) => test(inner, one, values));
    case '$ne':
      return !fitsValue(values, operand);
    case '$gt':
      return values.some((value) => order(value, operand) > 0);
    case '$gte':
      return values.some((value) => order(value, operand) >= 0);
    case '$lt':
      return values.some((value) => order(value, operand) < 0);
    case '$lte':
      return values.some((value) => order(value, operand) <= 0);
    default:
      throw new Error(`the model store knows no ${operator}`);
  }
}

type Change = (before: unknown) => unknown;
const GONE = Symbol('gone');

/** A document after an update by operators; the old one is left as it is. @throws Error for an operator that the model does not know */
export function updated(doc: Doc, update: Record<string, Record<string, unknown>>): Doc {
  const after = structuredClone(doc);
  for (const [operator, fields] of Object.entries(update))
    for (const [path, operand] of Object.entries(fields)) setAt(after, path, changeOf(operator, operand));
  return after;
}

function changeOf(operator: string, operand: unknown): Change {
  const value = structuredClone(operand);
  switch (operator) {
    case '$set':
      return () => value;
    case '$unset':
      return () => GONE;
    case '$inc':
      return (before) => (before === undefined ? value : sum(before, value));
    case '$push':
      return (before) => [...((before as unknown[]) ?? []), value];
    case '$pull':
      return (before) =>
        Array.isArray(before)
          ? before.filter((one) => !(isPlain(value) ? fits(one, value) : same(one, value)))
          : (before ?? GONE);
    case '$min':
      return (before) => (before === undefined || order(value, before) < 0 ? value : before);
    case '$max':
      return (before) => (before === undefined || order(value, before) > 0 ? value : before);
    default:
      throw new Error(`the model store knows no ${operator}`);
  }
}

export function sum(a: unknown, b: unknown): unknown {
  return typeof a === 'bigint' || typeof b === 'bigint'
    ? BigInt(a as bigint) + BigInt(b as bigint)
    : (a as number) + (b as number);
}

function setAt(target: Plain, path: string, change: Change): void {
  const parts = path.split('.');
  const last = parts.pop() ?? '';
  let at = target;
  for (const part of parts) {
    if (!isPlain(at[part])) at[part] = {};
    at = at[part] as Plain;
  }
  const after = change(at[last]);
  if (after === GONE) delete at[last];
  else at[last] = after;
}
