import { createHash } from 'node:crypto';
import { type Binary, type BSONRegExp, type Code, Decimal128, Long, type ObjectId, type Timestamp } from 'bson';
import { RANK, rankOf } from './compare.js';
import { compareExact, type ExactDecimal, exactOf, exactOfDouble, toDouble } from './numbers.js';
import type { Doc, NumberValue, Value } from './values.js';

/**
 * Index keys: bytes whose order is MongoDB's order of values. Each value is its type rank and a body that no other body
 * continues, so keys of several fields stand one after another, and a descending field is the complement of its bytes.
 */

/** Beyond this many bytes a key is cut and ends in a digest: equality stays exact, order among cut keys does not. */
export const MAX_KEY_BYTES = 1_900;
const DIGEST_BYTES = 32;

/** The index key of an empty array. */
export const UNDEFINED_KEY = Buffer.from([RANK.undefined]);

export function keyOf(value: Value): Buffer {
  const out = new KeyWriter();
  out.value(value);
  return out.take();
}

/** The same key in descending order. */
export function complement(key: Buffer): Buffer {
  const result = Buffer.allocUnsafe(key.length);
  for (let i = 0; i < key.length; i++) result[i] = 255 - (key[i] as number);
  return result;
}

/** Cuts an over-long key. Returns the key itself when it fits. */
export function fitKey(key: Buffer): Buffer {
  if (key.length <= MAX_KEY_BYTES) return key;
  const digest = createHash('sha256').update(key).digest();
  return Buffer.concat([key.subarray(0, MAX_KEY_BYTES - DIGEST_BYTES), digest]);
}

const NUMBER_CLASS = { nan: 0, minusInfinity: 1, negative: 2, zero: 3, positive: 4, infinity: 5 } as const;
const EXPONENT_BIAS = 8192;

class KeyWriter {
  private bytes = Buffer.allocUnsafe(64);
  private length = 0;

  take(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  value(value: Value): void {
    const rank = rankOf(value);
    this.byte(rank);
    this.body(rank, value);
  }

  private body(rank: number, value: Value): void {
    switch (rank) {
      case RANK.number:
        this.number(value as NumberValue);
        break;
      case RANK.string:
        this.text(value as string);
        break;
      case RANK.object:
        this.document(value as Doc);
        break;
      case RANK.array:
        for (const item of value as Value[]) this.value(item);
        this.byte(RANK.end);
        break;
      case RANK.binData:
        this.binary(value as Binary);
        break;
      case RANK.objectId:
        this.raw((value as ObjectId).id);
        break;
      case RANK.bool:
        this.byte(value === true ? 1 : 0);
        break;
      case RANK.date:
        this.signed(BigInt((value as Date).getTime()));
        break;
      case RANK.timestamp:
        this.unsigned((value as Timestamp).toUnsigned().toBigInt());
        break;
      case RANK.regex:
        this.text((value as BSONRegExp).pattern);
        this.text((value as BSONRegExp).options);
        break;
      case RANK.javascript:
        this.text((value as Code).code);
        break;
      default:
        break;
    }
  }

  private document(value: Doc): void {
    for (const [name, field] of value) {
      const rank = rankOf(field);
      this.byte(rank);
      this.text(name);
      this.body(rank, field);
    }
    this.byte(RANK.end);
  }

  private binary(value: Binary): void {
    const content = value.value();
    this.room(5);
    this.length = this.bytes.writeUInt32BE(content.length, this.length);
    this.byte(value.sub_type);
    this.raw(content);
  }

  /**
   * A number is its class, then the largest double not above its magnitude, then the exact remainder as a decimal (one zero
   * byte when there is none, which is so for every int32 and double). Negative numbers are the complement of their magnitude.
   */
  private number(value: NumberValue): void {
    const nearest = toDouble(value);
    const exact = value instanceof Long || value instanceof Decimal128 ? exactOf(value) : undefined;
    const kind = numberClass(value, nearest, exact);
    this.byte(kind);
    if (kind !== NUMBER_CLASS.positive && kind !== NUMBER_CLASS.negative) return;
    const start = this.length;
    if (exact === undefined) this.magnitude(Math.abs(nearest), undefined);
    else this.exactMagnitude(Math.abs(nearest), magnitudeOf(exact));
    if (kind === NUMBER_CLASS.positive) return;
    for (let i = start; i < this.length; i++) this.bytes[i] = 255 - (this.bytes[i] as number);
  }

  private exactMagnitude(nearest: number, exact: ExactDecimal): void {
    let floor = Number.isFinite(nearest) ? nearest : Number.MAX_VALUE;
    let floorExact = exactOfDouble(floor) as ExactDecimal;
    if (compareExact(floorExact, exact) > 0) {
      floor = nextBelow(floor);
      floorExact = exactOfDouble(floor) as ExactDecimal;
    }
    const low = Math.min(floorExact.exponent, exact.exponent);
    const rest =
      exact.coefficient * 10n ** BigInt(exact.exponent - low) -
      floorExact.coefficient * 10n ** BigInt(floorExact.exponent - low);
    this.magnitude(floor, rest === 0n ? undefined : { coefficient: rest, exponent: low });
  }

  private magnitude(floor: number, rest: ExactDecimal | undefined): void {
    this.room(8);
    this.length = this.bytes.writeDoubleBE(floor, this.length);
    if (rest === undefined) this.byte(0);
    else this.remainder(rest);
  }

  /** The exponent of the first digit orders remainders; the digits after it, two to a byte, break ties. */
  private remainder(rest: ExactDecimal): void {
    const digits = rest.coefficient.toString();
    const significant = digits.replace(/0+$/, '');
    this.byte(1);
    this.room(2);
    this.length = this.bytes.writeUInt16BE(rest.exponent + digits.length + EXPONENT_BIAS, this.length);
    for (let i = 0; i < significant.length; i += 2) this.byte(Number(significant.slice(i, i + 2).padEnd(2, '0')) + 1);
    this.byte(0);
  }

  private signed(value: bigint): void {
    this.unsigned(BigInt.asUintN(64, value) ^ 0x8000_0000_0000_0000n);
  }

  private unsigned(value: bigint): void {
    this.room(8);
    this.length = this.bytes.writeBigUInt64BE(value, this.length);
  }

  /** UTF-8 with each zero byte followed by 255, ended by two zero bytes. */
  private text(text: string): void {
    this.room(text.length * 3 + 2);
    if (!text.includes('\0')) this.length += this.bytes.write(text, this.length);
    else for (const byte of Buffer.from(text)) this.escaped(byte);
    this.byte(0);
    this.byte(0);
  }

  private escaped(byte: number): void {
    this.byte(byte);
    if (byte === 0) this.byte(255);
  }

  private raw(content: Uint8Array): void {
    this.room(content.length);
    this.bytes.set(content, this.length);
    this.length += content.length;
  }

  private byte(value: number): void {
    this.room(1);
    this.bytes[this.length++] = value;
  }

  private room(length: number): void {
    const wanted = this.length + length;
    if (wanted <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(wanted, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }
}

function numberClass(value: NumberValue, nearest: number, exact: ExactDecimal | undefined): number {
  if (Number.isNaN(nearest)) return NUMBER_CLASS.nan;
  const isInfinite = value instanceof Decimal128 ? exact === undefined : !Number.isFinite(nearest);
  if (isInfinite) return nearest > 0 ? NUMBER_CLASS.infinity : NUMBER_CLASS.minusInfinity;
  const sign = exact === undefined ? nearest : exact.coefficient;
  if (sign > 0) return NUMBER_CLASS.positive;
  return sign < 0 ? NUMBER_CLASS.negative : NUMBER_CLASS.zero;
}

const magnitudeOf = ({ coefficient, exponent }: ExactDecimal): ExactDecimal => ({
  coefficient: coefficient < 0n ? -coefficient : coefficient,
  exponent,
});

/** The next double below a positive one. */
function nextBelow(value: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigUint64(0, view.getBigUint64(0) - 1n);
  return view.getFloat64(0);
}
