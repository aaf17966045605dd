import { Binary, BSONRegExp, Code, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { ERROR_CODES, MongoError } from '../errors.js';
import type { Doc, Value } from './values.js';

/** MongoDB's own limit of nesting in a document. */
const MAX_DEPTH = 200;

const invalid = (message: string): MongoError => new MongoError(ERROR_CODES.InvalidBSON, message);

/** Value types of BSON that MongoDB deprecated. No service stores them, so they are refused by name. */
const REFUSED_TYPES: ReadonlyMap<number, string> = new Map([
  [0x06, 'undefined'],
  [0x0c, 'dbPointer'],
  [0x0e, 'symbol'],
  [0x0f, 'javascriptWithScope'],
]);

/**
 * Reads one BSON document into Maps. Stricter than bson's own reader, which turns documents into objects (and so reorders
 * integer-like names): every length is checked against the available bytes.
 * Throws MongoError 22 for bytes that are no BSON, 15 for nesting over 200, 2 for a deprecated type.
 */
export function decode(bytes: Buffer): Doc {
  const reader = new Reader(bytes);
  const result = reader.document(bytes.length, 1);
  if (reader.position !== bytes.length) throw invalid('there are bytes after the document');
  return result;
}

class Reader {
  position = 0;
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Reads a document that must end at or before `limit`. */
  document(limit: number, depth: number): Doc {
    const end = this.begin(limit, depth);
    const result: Doc = new Map();
    for (let type = this.byte(end); type !== 0; type = this.byte(end)) {
      const name = this.cstring(end);
      result.set(name, this.value(type, end, depth, name));
    }
    if (this.position !== end) throw invalid('a document ends before its length');
    return result;
  }

  private array(limit: number, depth: number): Value[] {
    const end = this.begin(limit, depth);
    const result: Value[] = [];
    for (let type = this.byte(end); type !== 0; type = this.byte(end)) {
      const name = this.cstring(end);
      result.push(this.value(type, end, depth, name));
    }
    if (this.position !== end) throw invalid('an array ends before its length');
    return result;
  }

  private begin(limit: number, depth: number): number {
    if (depth > MAX_DEPTH) throw new MongoError(ERROR_CODES.Overflow, `nested deeper than ${MAX_DEPTH} levels`);
    const start = this.position;
    const length = this.int32(limit);
    if (length < 5 || start + length > limit) throw invalid(`document length ${length} does not match its bytes`);
    return start + length;
  }

  private value(type: number, limit: number, depth: number, name: string): Value {
    switch (type) {
      case 0x01:
        return new Double(this.bytes.readDoubleLE(this.take(8, limit)));
      case 0x02:
        return this.string(limit);
      case 0x03:
        return this.document(limit, depth + 1);
      case 0x04:
        return this.array(limit, depth + 1);
      case 0x05:
        return this.binary(limit);
      case 0x07:
        return new ObjectId(this.copy(12, limit));
      case 0x08: {
        const flag = this.byte(limit);
        if (flag > 1) throw invalid(`invalid boolean byte ${flag}`);
        return flag === 1;
      }
      case 0x09:
        return this.date(limit, name);
      case 0x0a:
        return null;
      case 0x0b:
        return this.regex(limit);
      case 0x0d:
        return new Code(this.string(limit));
      case 0x10:
        return new Int32(this.int32(limit));
      case 0x11: {
        const at = this.take(8, limit);
        return new Timestamp({ i: this.bytes.readUInt32LE(at), t: this.bytes.readUInt32LE(at + 4) });
      }
      case 0x12: {
        const at = this.take(8, limit);
        return new Long(this.bytes.readInt32LE(at), this.bytes.readInt32LE(at + 4));
      }
      case 0x13:
        return new Decimal128(this.copy(16, limit));
      case 0xff:
        return new MinKey();
      case 0x7f:
        return new MaxKey();
      default: {
        const refused = REFUSED_TYPES.get(type);
        if (refused === undefined) throw invalid(`unknown BSON type ${type} in field '${name}'`);
        throw new MongoError(ERROR_CODES.BadValue, `BSON type ${refused} is not supported (field '${name}')`);
      }
    }
  }

  private regex(limit: number): BSONRegExp {
    const pattern = this.cstring(limit);
    const options = this.cstring(limit);
    if (!/^[imxlsu]*$/.test(options)) throw invalid(`regex options '${options}'`);
    return new BSONRegExp(pattern, options);
  }

  private date(limit: number, name: string): Date {
    const at = this.take(8, limit);
    const ms = Number(this.bytes.readBigInt64LE(at));
    if (Math.abs(ms) > 8.64e15) {
      throw new MongoError(ERROR_CODES.BadValue, `date out of the supported range (field '${name}')`);
    }
    return new Date(ms);
  }

  private binary(limit: number): Binary {
    const length = this.int32(limit);
    const subtype = this.byte(limit);
    if (length < 0) throw invalid(`invalid binary length ${length}`);
    return new Binary(this.copy(length, limit), subtype);
  }

  private string(limit: number): string {
    const length = this.int32(limit);
    if (length < 1) throw invalid(`invalid string length ${length}`);
    const start = this.take(length, limit);
    if (this.bytes[start + length - 1] !== 0) throw invalid('a string without its null byte');
    return this.text(start, start + length - 1);
  }

  private cstring(limit: number): string {
    const end = this.bytes.indexOf(0, this.position);
    if (end < 0 || end >= limit) throw invalid('a name without its null byte');
    const text = this.text(this.position, end);
    this.position = end + 1;
    return text;
  }

  /** Short ASCII, which names mostly are, is read without a call into the runtime's decoder. */
  private text(start: number, end: number): string {
    if (end - start > 24) return this.bytes.toString('utf8', start, end);
    let text = '';
    for (let i = start; i < end; i++) {
      const byte = this.bytes[i] as number;
      if (byte > 0x7f) return this.bytes.toString('utf8', start, end);
      text += String.fromCharCode(byte);
    }
    return text;
  }

  private byte(limit: number): number {
    return this.bytes[this.take(1, limit)] as number;
  }

  private int32(limit: number): number {
    return this.bytes.readInt32LE(this.take(4, limit));
  }

  private copy(length: number, limit: number): Buffer {
    const start = this.take(length, limit);
    return Buffer.from(this.bytes.subarray(start, start + length));
  }

  private take(length: number, limit: number): number {
    const start = this.position;
    if (start + length > limit) throw invalid('the bytes end inside a value');
    this.position = start + length;
    return start;
  }
}
