import { isDoc, type Value } from '../bson/values.js';
import { MongoError } from '../errors.js';
import type { Expression, OperatorSource } from './expression.js';

/** The operand as a list of expressions; a single expression needs no array. */
export function operands({ name, operand, compile }: OperatorSource, least: number, most = least): Expression[] {
  const list = Array.isArray(operand) ? operand : [operand];
  if (list.length < least || list.length > most) {
    const wanted = least === most ? `exactly ${least}` : `at least ${least} and at most ${most}`;
    throw new MongoError(16020, `Expression ${name} takes ${wanted} arguments. ${list.length} were passed in.`);
  }
  return list.map(compile);
}

export const anyOperands = (source: OperatorSource): Expression[] => operands(source, 0, Number.MAX_SAFE_INTEGER);

/** The operand as named fields; those not in the lists are refused by name. */
export function namedOperands(
  { name, operand }: OperatorSource,
  required: readonly string[],
  optional: readonly string[] = [],
): Map<string, Value> {
  if (!isDoc(operand)) throw new MongoError(28646, `${name} only supports an object as its argument`);
  for (const key of operand.keys()) {
    if (!required.includes(key) && !optional.includes(key))
      throw new MongoError(28647, `Unrecognized parameter to ${name}: ${key}`);
  }
  for (const key of required)
    if (!operand.has(key)) throw new MongoError(28648, `Missing '${key}' parameter to ${name}`);
  return operand;
}
