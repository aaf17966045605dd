import type { Encodable, EncodableMap } from '../bson/encode.js';
import { double, int, type Value } from '../bson/values.js';
import type { MongoError } from '../errors.js';

/** `{..., ok: 1}` with MongoDB's double. */
export function okReply(fields: Record<string, Encodable> = {}): EncodableMap {
  return new Map<string, Encodable>([...Object.entries(fields), ['ok', double(1)]]);
}

export function errorReply(error: MongoError): EncodableMap {
  const reply = new Map<string, Encodable>([
    ['ok', double(0)],
    ['errmsg', error.message],
    ['code', int(error.code)],
    ['codeName', error.codeName],
  ]);
  for (const [name, value] of error.details) reply.set(name, value as Value);
  return reply;
}

/** One failed statement of insert, update or delete. */
export function writeError(error: MongoError, index: number): EncodableMap {
  const entry = new Map<string, Encodable>([
    ['index', int(index)],
    ['code', int(error.code)],
  ]);
  for (const [name, value] of error.details) entry.set(name, value as Value);
  entry.set('errmsg', error.message);
  return entry;
}
