import { type Doc, isDoc, type Value } from '../bson/values.js';
import { badValue, MongoError } from '../errors.js';
import { EXPRESSIONS } from './operators.js';

/** The values in scope of an expression: its document and named values (`$$ROOT`, `$$NOW`, and those of $let, $map...). */
export interface Scope {
  root: Doc;
  variables: ReadonlyMap<string, Value | undefined>;
}

/** Undefined is a missing value, which is not null. */
export type Expression = (scope: Scope) => Value | undefined;

/** The input of an operator's compiler: its operand, a function that compiles parts of it, and its name for messages. */
export interface OperatorSource {
  name: string;
  operand: Value;
  compile: (value: Value) => Expression;
}

export function evaluate(expression: Expression, root: Doc): Value | undefined {
  return expression({ root, variables: new Map([['NOW', new Date()]]) });
}

/** Reads an expression. Throws MongoError 168 for an unknown operator, 16872 for a bad path. */
export function compileExpression(value: Value): Expression {
  if (typeof value === 'string' && value.startsWith('$$')) return compileVariable(value.slice(2));
  if (typeof value === 'string' && value.startsWith('$')) return compilePath(value.slice(1));
  if (Array.isArray(value)) {
    const items = value.map(compileExpression);
    return (scope) => items.map((item) => item(scope) ?? null);
  }
  if (!isDoc(value)) return () => value;
  const [operator] = value.keys();
  if (operator?.startsWith('$') !== true) return compileObject(value);
  if (value.size > 1)
    throw new MongoError(
      15983,
      `an expression specification must contain exactly one field, the name of the expression. Found ${value.size} fields.`,
    );
  const build = EXPRESSIONS.get(operator);
  if (build === undefined) throw new MongoError(168, `Unrecognized expression '${operator}'`);
  return build({ name: operator, operand: value.get(operator) as Value, compile: compileExpression });
}

function compileObject(value: Doc): Expression {
  const fields = [...value].map(([name, item]): [string, Expression] => {
    if (name.includes('.')) throw new MongoError(16412, `FieldPath field names may not contain '.' (field '${name}')`);
    return [name, compileExpression(item)];
  });
  return (scope) => {
    const result: Doc = new Map();
    for (const [name, item] of fields) {
      const computed = item(scope);
      if (computed !== undefined) result.set(name, computed);
    }
    return result;
  };
}

function compilePath(dotted: string): Expression {
  const parts = pathParts(dotted);
  return ({ root }) => valueAt(root, parts, 0);
}

function compileVariable(text: string): Expression {
  const [name, ...parts] = pathParts(text) as [string, ...string[]];
  if (name === 'REMOVE') return () => undefined;
  if (name === 'ROOT' || name === 'CURRENT')
    return ({ root, variables }) => valueAt(variables.get('ROOT') ?? root, parts, 0);
  if (name !== 'NOW' && !/^[a-z]/.test(name))
    throw badValue(`variable '$$${name}' is not supported by the embedded server`);
  return ({ variables }) => {
    if (!variables.has(name)) throw new MongoError(17276, `Use of undefined variable: ${name}`);
    return valueAt(variables.get(name), parts, 0);
  };
}

function pathParts(dotted: string): string[] {
  if (dotted === '' || dotted.endsWith('.')) throw new MongoError(40353, "FieldPath must not end with a '.'.");
  const parts = dotted.split('.');
  for (const part of parts) {
    if (part === '') throw new MongoError(15998, 'FieldPath field names may not be empty strings.');
    if (part.startsWith('$'))
      throw new MongoError(
        16410,
        `FieldPath field names may not start with '$'. Consider using $getField or $setField.`,
      );
  }
  return parts;
}

/** Follows a path through sub-documents. An array on the way gives the array of its sub-documents' values. Numbers are field names here. */
function valueAt(value: Value | undefined, parts: readonly string[], at: number): Value | undefined {
  if (at === parts.length) return value;
  if (isDoc(value)) return valueAt(value.get(parts[at] as string), parts, at + 1);
  if (!Array.isArray(value)) return undefined;
  return value
    .map((item) => (isDoc(item) || Array.isArray(item) ? valueAt(item, parts, at) : undefined))
    .filter((item) => item !== undefined);
}
