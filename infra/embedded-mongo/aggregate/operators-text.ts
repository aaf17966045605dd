import { fitsInt64, toDouble, toIntegral } from '../bson/numbers.js';
import { show } from '../bson/show.js';
import { Double, Int32, int, isNumber, isTruthy, Long, ObjectId, typeName, type Value } from '../bson/values.js';
import { MongoError } from '../errors.js';
import type { Expression, OperatorSource } from './expression.js';
import { anyOperands, operands } from './operands.js';

const CONVERSION_FAILURE = 241;

const failure = (name: string, value: Value): MongoError =>
  new MongoError(CONVERSION_FAILURE, `Failed to convert ${typeName(value)} ${show(value)} in ${name}`);

const converting =
  (convert: (value: Value, name: string) => Value) =>
  (source: OperatorSource): Expression => {
    const [item] = operands(source, 1) as [Expression];
    return (scope) => {
      const value = item(scope);
      return value === undefined || value === null ? null : convert(value, source.name);
    };
  };

function toText(value: Value, name: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Double) return doubleText(value.value);
  if (isNumber(value)) return value.toString();
  throw failure(name, value);
}

const DECIMAL = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|Infinity)$/;

/** The text of a double as C prints it: with the sign of zero, and a two-digit exponent below 1e-4 and from 1e16 on. */
function doubleText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  if (!Number.isFinite(value) || value === 0) return String(value);
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  const power = Number(exponent);
  if (power >= -4 && power < 16) return String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

const ISO_DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Parses ISO 8601, in UTC if no zone is given. Other formats are refused: JavaScript and MongoDB parse them differently. */
function dateOf(text: string): Date {
  const [, day, time = '00:00', zone = 'Z'] = ISO_DATE.exec(text) ?? [];
  return day === undefined ? new Date(Number.NaN) : new Date(`${day}T${time}${zone}`);
}

function toWhole(value: Value, name: string): bigint {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (value instanceof Date) return BigInt(value.getTime());
  if (typeof value === 'string' && /^[+-]?\d+$/.test(value)) return BigInt(value);
  if (!isNumber(value)) throw failure(name, value);
  const whole = toIntegral(value);
  if (whole !== undefined) return whole;
  const nearest = toDouble(value);
  if (!Number.isFinite(nearest)) throw failure(name, value);
  return BigInt(Math.trunc(nearest));
}

function toInt(value: Value, name: string): Int32 {
  const whole = toWhole(value, name);
  if (value instanceof Date || whole !== BigInt.asIntN(32, whole)) throw failure(name, value);
  return new Int32(Number(whole));
}

function toLong(value: Value, name: string): Long {
  const whole = toWhole(value, name);
  if (!fitsInt64(whole)) throw failure(name, value);
  return Long.fromBigInt(whole);
}

function toDoubleValue(value: Value, name: string): Double {
  if (typeof value === 'boolean') return new Double(value ? 1 : 0);
  if (value instanceof Date) return new Double(value.getTime());
  if (typeof value === 'string' && (DECIMAL.test(value) || value === 'NaN')) return new Double(Number(value));
  if (!isNumber(value)) throw failure(name, value);
  return new Double(toDouble(value));
}

function concat(source: OperatorSource): Expression {
  const list = anyOperands(source);
  return (scope) => {
    let text = '';
    for (const item of list) {
      const value = item(scope);
      if (value === undefined || value === null) return null;
      if (typeof value !== 'string')
        throw new MongoError(16702, `$concat only supports strings, not ${typeName(value)}`);
      text += value;
    }
    return text;
  };
}

/** Only ASCII letters change, as in MongoDB. */
const caseOf =
  (change: (text: string) => string, letters: RegExp) =>
  (source: OperatorSource): Expression => {
    const [item] = operands(source, 1) as [Expression];
    return (scope) => {
      const value = item(scope);
      return value === undefined || value === null ? '' : toText(value, source.name).replace(letters, change);
    };
  };

export const TEXT_AND_TYPES: Record<string, (source: OperatorSource) => Expression> = {
  $concat: concat,
  $toLower: caseOf((text) => text.toLowerCase(), /[A-Z]+/g),
  $toUpper: caseOf((text) => text.toUpperCase(), /[a-z]+/g),
  $strLenCP: (source) => {
    const [item] = operands(source, 1) as [Expression];
    return (scope) => {
      const value = item(scope);
      if (typeof value !== 'string')
        throw new MongoError(34471, `$strLenCP requires a string argument, found: ${typeName(value)}`);
      return int([...value].length);
    };
  },
  $type: (source) => {
    const [item] = operands(source, 1) as [Expression];
    return (scope) => typeName(item(scope));
  },
  $toString: converting(toText),
  $toInt: converting(toInt),
  $toLong: converting(toLong),
  $toDouble: converting(toDoubleValue),
  $toBool: converting((value) => (typeof value === 'string' ? true : isTruthy(value))),
  $toDate: converting((value, name) => {
    const date =
      typeof value === 'string'
        ? dateOf(value)
        : value instanceof ObjectId
          ? value.getTimestamp()
          : new Date(Number(toWhole(value, name)));
    if (Number.isNaN(date.getTime()) || value instanceof Int32) throw failure(name, value);
    return date;
  }),
};
