import { arithmetic, exactOf, integer, plain, toDecimal, toDouble, toIntegral } from '../bson/numbers.js';
import { Decimal128, Double, Int32, isNumber, Long, type NumberValue, typeName, type Value } from '../bson/values.js';
import { MongoError, typeMismatch } from '../errors.js';
import type { Expression, OperatorSource } from './expression.js';
import { anyOperands, operands } from './operands.js';

const nullish = (value: Value | undefined): boolean => value === undefined || value === null;

/** Sums and products leave int64 for double when they overflow, as MongoDB's expressions do. */
export function addNumbers(a: NumberValue, b: NumberValue): NumberValue {
  return orDouble('+', a, b);
}

function orDouble(op: '+' | '*', a: NumberValue, b: NumberValue): NumberValue {
  let overflowed = false;
  try {
    return arithmetic(op, a, b, () => {
      overflowed = true;
      return new Error('overflow');
    });
  } catch (error) {
    if (!overflowed) throw error;
    return new Double(op === '+' ? toDouble(a) + toDouble(b) : toDouble(a) * toDouble(b));
  }
}

function negate(value: NumberValue): NumberValue {
  return orDouble('*', value, new Int32(-1));
}

function numbersOnly(name: string, value: Value | undefined): asserts value is NumberValue {
  if (!isNumber(value)) throw typeMismatch(`${name} only supports numeric types, not ${typeName(value)}`);
}

function add(source: OperatorSource): Expression {
  const list = anyOperands(source);
  return (scope) => {
    let sum: NumberValue = new Int32(0);
    let date: Date | undefined;
    for (const item of list) {
      const value = item(scope);
      if (value === undefined || value === null) return null;
      if (value instanceof Date) {
        if (date !== undefined) throw new MongoError(16612, 'only one date allowed in an $add expression');
        date = value;
        continue;
      }
      if (!isNumber(value)) throw typeMismatch(`$add only supports numeric or date types, not ${typeName(value)}`);
      sum = addNumbers(sum, value);
    }
    return date === undefined ? sum : new Date(date.getTime() + Math.trunc(toDouble(sum)));
  };
}

function multiply(source: OperatorSource): Expression {
  const list = anyOperands(source);
  return (scope) => {
    let result: NumberValue = new Int32(1);
    for (const item of list) {
      const value = item(scope);
      if (value === undefined || value === null) return null;
      numbersOnly('$multiply', value);
      result = orDouble('*', result, value);
    }
    return result;
  };
}

function subtract(source: OperatorSource): Expression {
  return binary(source, (left, right) => {
    if (left instanceof Date && right instanceof Date) return Long.fromBigInt(BigInt(left.getTime() - right.getTime()));
    if (left instanceof Date && isNumber(right)) return new Date(left.getTime() - Math.trunc(toDouble(right)));
    if (!isNumber(left) || !isNumber(right))
      throw typeMismatch(`can't $subtract ${typeName(right)} from ${typeName(left)}`);
    return addNumbers(left, negate(right));
  });
}

function divide(source: OperatorSource): Expression {
  return binary(source, (left, right) => {
    if (!isNumber(left) || !isNumber(right))
      throw typeMismatch(`$divide only supports numeric types, not ${typeName(left)} and ${typeName(right)}`);
    if (toDouble(right) === 0) throw new MongoError(2, "can't $divide by zero");
    if (left instanceof Decimal128 || right instanceof Decimal128) return divideDecimals(left, right);
    return new Double(toDouble(left) / toDouble(right));
  });
}

function divideDecimals(left: NumberValue, right: NumberValue): Decimal128 {
  const [above, below] = [exactOf(left), exactOf(right)];
  if (above === undefined || below === undefined)
    return Decimal128.fromString(String(toDouble(left) / toDouble(right)));
  const scaled = (above.coefficient * 10n ** 80n) / below.coefficient;
  return toDecimal({ coefficient: scaled, exponent: above.exponent - below.exponent - 80 });
}

function mod(source: OperatorSource): Expression {
  return binary(source, (left, right) => {
    if (!isNumber(left) || !isNumber(right))
      throw typeMismatch(`$mod only supports numeric types, not ${typeName(left)} and ${typeName(right)}`);
    if (toDouble(right) === 0) throw new MongoError(16610, "can't $mod by zero");
    if (left instanceof Decimal128 || right instanceof Decimal128)
      throw new MongoError(115, '$mod of Decimal128 is not supported by the embedded server');
    if (left instanceof Double || right instanceof Double) return new Double(toDouble(left) % toDouble(right));
    return integer(
      BigInt(plain(left)) % BigInt(plain(right)),
      left instanceof Long || right instanceof Long,
      () => new MongoError(15, 'overflow'),
    );
  });
}

function binary(source: OperatorSource, compute: (left: Value, right: Value) => Value): Expression {
  const [first, second] = operands(source, 2) as [Expression, Expression];
  return (scope) => {
    const [left, right] = [first(scope), second(scope)];
    return nullish(left) || nullish(right) ? null : compute(left as Value, right as Value);
  };
}

function unary(source: OperatorSource, compute: (value: NumberValue) => Value): Expression {
  const [item] = operands(source, 1) as [Expression];
  return (scope) => {
    const value = item(scope);
    if (value === undefined || value === null) return null;
    numbersOnly(source.name, value);
    return compute(value);
  };
}

const LEAST_LONG = -(2n ** 63n);

function absolute(value: NumberValue): NumberValue {
  if (value instanceof Long && value.toBigInt() === LEAST_LONG)
    throw new MongoError(28680, "can't take $abs of long long min");
  const isNegative = value instanceof Decimal128 ? value.toString().startsWith('-') : toDouble(value) < 0;
  return isNegative ? negate(value) : value;
}

/** Integers stay as they are; a double keeps its type. Decimal128 is exact or refused. */
const rounding =
  (round: (value: number) => number) =>
  (source: OperatorSource): Expression =>
    unary(source, (value) => {
      if (value instanceof Double) return new Double(round(value.value));
      if (value instanceof Decimal128 && toIntegral(value) === undefined)
        throw new MongoError(115, `${source.name} of Decimal128 is not supported by the embedded server`);
      return value;
    });

export const ARITHMETIC: Record<string, (source: OperatorSource) => Expression> = {
  $add: add,
  $subtract: subtract,
  $multiply: multiply,
  $divide: divide,
  $mod: mod,
  $abs: (source) => unary(source, absolute),
  $floor: rounding(Math.floor),
  $ceil: rounding(Math.ceil),
  $trunc: rounding(Math.trunc),
};
