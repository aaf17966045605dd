import { Decimal128, Double, Int32, Long } from 'bson';
import { badValue } from '../errors.js';
import type { NumberValue } from './values.js';

/** A finite number exactly: coefficient x 10^exponent. */
export interface ExactDecimal {
  coefficient: bigint;
  exponent: number;
}

const INT32_MAX = 2_147_483_647n;
const INT32_MIN = -2_147_483_648n;
const INT64_MAX = 9_223_372_036_854_775_807n;
const INT64_MIN = -9_223_372_036_854_775_808n;

/** int32 and double as a JavaScript number, int64 as bigint: JavaScript compares the two exactly. Not for Decimal128. */
export function plain(value: Int32 | Double | Long): number | bigint {
  return value instanceof Long ? value.toBigInt() : value.value;
}

/** The nearest double. */
export function toDouble(value: NumberValue): number {
  if (value instanceof Long) return value.toNumber();
  if (value instanceof Decimal128) return Number(decimalText(value));
  return value.value;
}

/** The number as bigint when it is integral, undefined otherwise. */
export function toIntegral(value: NumberValue): bigint | undefined {
  if (value instanceof Long) return value.toBigInt();
  if (value instanceof Decimal128) {
    const exact = exactOfDecimal(value);
    if (exact === undefined) return undefined;
    if (exact.exponent >= 0) return exact.coefficient * 10n ** BigInt(exact.exponent);
    const scale = 10n ** BigInt(-exact.exponent);
    return exact.coefficient % scale === 0n ? exact.coefficient / scale : undefined;
  }
  return Number.isInteger(value.value) ? BigInt(value.value) : undefined;
}

/** Exact value of any finite number; undefined for NaN and the infinities. */
export function exactOf(value: NumberValue): ExactDecimal | undefined {
  if (value instanceof Decimal128) return exactOfDecimal(value);
  if (value instanceof Long) return { coefficient: value.toBigInt(), exponent: 0 };
  return exactOfDouble(value.value);
}

/** A finite double as a decimal: its exponent of 2, when negative, becomes 5^n / 10^n. */
export function exactOfDouble(value: number): ExactDecimal | undefined {
  if (!Number.isFinite(value)) return undefined;
  if (Number.isInteger(value)) return { coefficient: BigInt(value), exponent: 0 };
  bitsView.setFloat64(0, value);
  const bits = bitsView.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const mantissa = biased === 0 ? fraction : fraction | 0x10_0000_0000_0000n;
  const power = (biased === 0 ? 1 : biased) - 1075;
  const sign = value < 0 ? -1n : 1n;
  return { coefficient: sign * mantissa * 5n ** BigInt(-power), exponent: power };
}

const bitsView = new DataView(new ArrayBuffer(8));

/** Decimal128's text, with its infinities spelled as Number() reads them. */
function decimalText(value: Decimal128): string {
  return value.toString();
}

function exactOfDecimal(value: Decimal128): ExactDecimal | undefined {
  const match = /^(-?)(\d+)(?:\.(\d*))?(?:E([+-]?\d+))?$/.exec(decimalText(value));
  if (match === null) return undefined;
  const fraction = match[3] ?? '';
  const digits = BigInt(`${match[2]}${fraction}`);
  return { coefficient: match[1] === '-' ? -digits : digits, exponent: Number(match[4] ?? 0) - fraction.length };
}

/** Order of two exact decimals: negative, zero or positive. */
export function compareExact(a: ExactDecimal, b: ExactDecimal): number {
  const low = Math.min(a.exponent, b.exponent);
  const left = a.coefficient * 10n ** BigInt(a.exponent - low);
  const right = b.coefficient * 10n ** BigInt(b.exponent - low);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Order of two numbers of any type, exact, NaN below every other number and equal to itself. */
export function compareNumbers(a: NumberValue, b: NumberValue): number {
  if (!(a instanceof Decimal128) && !(b instanceof Decimal128)) {
    const left = plain(a);
    const right = plain(b);
    if (left < right) return -1;
    if (left > right) return 1;
    // Neither less nor greater: the numbers are equal, or one is NaN.
    return Number(Number.isNaN(right)) - Number(Number.isNaN(left));
  }
  const left = exactOf(a);
  const right = exactOf(b);
  if (left !== undefined && right !== undefined) return compareExact(left, right);
  return compareNumbers(
    new Double(left === undefined ? toDouble(a) : 0),
    new Double(right === undefined ? toDouble(b) : 0),
  );
}

/** An integer in the narrowest of int32 (unless `wide`) and int64. Throws the given error when it fits neither. */
export function integer(value: bigint, wide: boolean, overflow: () => Error): Int32 | Long {
  if (!wide && value >= INT32_MIN && value <= INT32_MAX) return new Int32(Number(value));
  if (value < INT64_MIN || value > INT64_MAX) throw overflow();
  return Long.fromBigInt(value);
}

export const fitsInt64 = (value: bigint): boolean => value >= INT64_MIN && value <= INT64_MAX;

/**
 * a + b or a x b as MongoDB types it: any Decimal128 gives Decimal128, else any double gives double, else integers; int32
 * widens to int64 on overflow. `overflow` is thrown when int64 does not hold the result.
 */
export function arithmetic(op: '+' | '*', a: NumberValue, b: NumberValue, overflow: () => Error): NumberValue {
  if (a instanceof Decimal128 || b instanceof Decimal128) return decimalArithmetic(op, a, b);
  if (a instanceof Double || b instanceof Double) {
    const [left, right] = [toDouble(a), toDouble(b)];
    return new Double(op === '+' ? left + right : left * right);
  }
  const [left, right] = [BigInt(plain(a)), BigInt(plain(b))];
  return integer(op === '+' ? left + right : left * right, a instanceof Long || b instanceof Long, overflow);
}

function decimalArithmetic(op: '+' | '*', a: NumberValue, b: NumberValue): Decimal128 {
  const left = asDecimalOperand(a);
  const right = asDecimalOperand(b);
  if (left === undefined || right === undefined) {
    const [x, y] = [toDouble(a), toDouble(b)];
    return Decimal128.fromString(spellSpecial(op === '+' ? x + y : x * y));
  }
  if (op === '*') {
    return toDecimal({ coefficient: left.coefficient * right.coefficient, exponent: left.exponent + right.exponent });
  }
  const low = Math.min(left.exponent, right.exponent);
  const sum =
    left.coefficient * 10n ** BigInt(left.exponent - low) + right.coefficient * 10n ** BigInt(right.exponent - low);
  return toDecimal({ coefficient: sum, exponent: low });
}

/** MongoDB turns a double into Decimal128 by its 15 significant digits, not by its exact value. */
function asDecimalOperand(value: NumberValue): ExactDecimal | undefined {
  if (value instanceof Double && Number.isFinite(value.value)) {
    return exactOfDecimal(Decimal128.fromString(value.value.toPrecision(15)));
  }
  return exactOf(value);
}

function spellSpecial(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
}

/** Rounds to Decimal128's 34 digits, half to even. Throws MongoError 2 when the exponent does not fit. */
export function toDecimal(exact: ExactDecimal): Decimal128 {
  let { coefficient, exponent } = exact;
  const digits = (coefficient < 0n ? -coefficient : coefficient).toString().length;
  if (digits > 34) {
    const scale = 10n ** BigInt(digits - 34);
    const rest = coefficient % scale;
    coefficient /= scale;
    exponent += digits - 34;
    const twice = (rest < 0n ? -rest : rest) * 2n;
    if (twice > scale || (twice === scale && coefficient % 2n !== 0n)) coefficient += rest < 0n ? -1n : 1n;
  }
  try {
    return Decimal128.fromString(`${coefficient}E${exponent}`);
  } catch {
    throw badValue(`the result ${coefficient}E${exponent} is out of range for Decimal128`);
  }
}
