import { Binary, BSONRegExp, Code, Decimal128, Double, Int32, Long, MinKey, ObjectId, Timestamp } from 'bson';
import { ERROR_CODES, MongoError } from '../errors.js';
import type { Doc, Value } from './values.js';

/** MongoDB's limit of a stored document, in bytes. */
export const MAX_DOCUMENT_BYTES = 16_777_216;

/** MongoDB's nesting limit of stored documents: 20 levels below the limit of messages. */
const MAX_STORED_DEPTH = 180;

/** A document already in BSON bytes: stored documents go to the wire without being read and written again. */
export class RawDoc {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

export type Encodable = Value | RawDoc | EncodableMap | Encodable[];
export type EncodableMap = Map<string, Encodable>;

/** Writes a document as BSON bytes of its own. Numbers keep their type; a Map keeps its order. */
export function encode(document: EncodableMap | Doc): Buffer {
  writer.begin();
  writer.document(document as EncodableMap);
  return Buffer.from(writer.bytes.subarray(0, writer.position));
}

/** Like encode, for documents that are stored. Throws MongoError 10334 over 16 MiB, 15 for nesting over 180 levels. */
export function encodeStored(document: Doc): Buffer {
  const bytes = encode(document);
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    throw new MongoError(
      ERROR_CODES.BSONObjectTooLarge,
      `BSONObj size: ${bytes.length} is invalid. Size must be between 0 and ${MAX_DOCUMENT_BYTES}(16MB)`,
    );
  }
  if (writer.deepest > MAX_STORED_DEPTH) {
    throw new MongoError(ERROR_CODES.Overflow, `the document is nested deeper than ${MAX_STORED_DEPTH} levels`);
  }
  return bytes;
}

class Writer {
  bytes = Buffer.allocUnsafe(1 << 16);
  position = 0;
  /** Levels below the document itself, at most. */
  deepest = 0;
  private depth = -1;

  begin(): void {
    this.position = 0;
    this.deepest = 0;
    this.depth = -1;
  }

  document(map: EncodableMap): void {
    const start = this.start();
    for (const [name, value] of map) this.element(name, value);
    this.end(start);
  }

  private start(): number {
    const start = this.position;
    this.room(4);
    this.position += 4;
    if (++this.depth > this.deepest) this.deepest = this.depth;
    return start;
  }

  private array(items: Encodable[]): void {
    const start = this.start();
    for (let i = 0; i < items.length; i++) this.element(String(i), items[i] as Encodable);
    this.end(start);
  }

  private end(start: number): void {
    this.depth--;
    this.byte(0);
    this.bytes.writeInt32LE(this.position - start, start);
  }

  private element(name: string, value: Encodable): void {
    const at = this.position;
    this.byte(0);
    this.cstring(name);
    // Writing the value may move the buffer, so the type byte is put in place afterwards.
    const type = this.value(value);
    this.bytes[at] = type;
  }

  /** Writes the value and returns its type byte. */
  private value(value: Encodable): number {
    if (typeof value === 'string') {
      this.string(value);
      return 0x02;
    }
    if (value instanceof Int32) {
      this.int32(value.value);
      return 0x10;
    }
    if (value instanceof Double) {
      this.double(value.value);
      return 0x01;
    }
    if (value === null) return 0x0a;
    if (typeof value === 'boolean') {
      this.byte(value ? 1 : 0);
      return 0x08;
    }
    if (value instanceof Map) {
      this.document(value as EncodableMap);
      return 0x03;
    }
    if (Array.isArray(value)) {
      this.array(value);
      return 0x04;
    }
    if (value instanceof RawDoc) {
      this.raw(value.bytes);
      return 0x03;
    }
    if (value instanceof Timestamp) {
      this.int64(value.low, value.high);
      return 0x11;
    }
    if (value instanceof Long) {
      this.int64(value.low, value.high);
      return 0x12;
    }
    if (value instanceof Date) {
      this.date(value);
      return 0x09;
    }
    if (value instanceof ObjectId) {
      this.raw(value.id);
      return 0x07;
    }
    if (value instanceof Binary) {
      this.binary(value);
      return 0x05;
    }
    if (value instanceof Decimal128) {
      this.raw(value.bytes);
      return 0x13;
    }
    if (value instanceof BSONRegExp) {
      this.cstring(value.pattern);
      this.cstring(value.options);
      return 0x0b;
    }
    if (value instanceof Code) {
      this.string(value.code);
      return 0x0d;
    }
    return value instanceof MinKey ? 0xff : 0x7f;
  }

  private binary(value: Binary): void {
    const content = value.value();
    this.int32(content.length);
    this.byte(value.sub_type);
    this.raw(content);
  }

  private date(value: Date): void {
    this.room(8);
    this.bytes.writeBigInt64LE(BigInt(value.getTime()), this.position);
    this.position += 8;
  }

  private string(text: string): void {
    this.room(text.length * 3 + 5);
    const at = this.position;
    const length = this.bytes.write(text, at + 4);
    this.bytes.writeInt32LE(length + 1, at);
    this.bytes[at + 4 + length] = 0;
    this.position = at + 5 + length;
  }

  private cstring(text: string): void {
    // A zero byte would end the name, and the rest would be parsed as a value.
    if (text.includes('\0'))
      throw new MongoError(ERROR_CODES.BadValue, 'a field name cannot contain an embedded null byte');
    this.room(text.length * 3 + 1);
    const length = this.bytes.write(text, this.position);
    this.bytes[this.position + length] = 0;
    this.position += length + 1;
  }

  private int64(low: number, high: number): void {
    this.int32(low | 0);
    this.int32(high | 0);
  }

  private int32(value: number): void {
    this.room(4);
    this.position = this.bytes.writeInt32LE(value | 0, this.position);
  }

  private double(value: number): void {
    this.room(8);
    this.position = this.bytes.writeDoubleLE(value, this.position);
  }

  private raw(content: Uint8Array): void {
    this.room(content.length);
    this.bytes.set(content, this.position);
    this.position += content.length;
  }

  private byte(value: number): void {
    this.room(1);
    this.bytes[this.position++] = value;
  }

  private room(length: number): void {
    const wanted = this.position + length;
    if (wanted <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(wanted, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.position);
    this.bytes = grown;
  }
}

const writer = new Writer();
