import { mongo } from 'mongoose';

const { BSON } = mongo;

/** Deserialises a document and keeps its stored number types: int32, int64 and double stay distinct. */
export const documentOf = (bytes: Uint8Array): mongo.BSON.Document => BSON.deserialize(bytes, { promoteValues: false });

/** Deserialises a document for calculations: int64 becomes a bigint. */
export const valuesOf = (bytes: Uint8Array): mongo.BSON.Document => BSON.deserialize(bytes, { useBigInt64: true });

export const bytesOf = (document: mongo.BSON.Document): Buffer => Buffer.from(BSON.serialize(document));

/**
 * Iterates over the documents of a part, in the order of writing.
 * @throws {RangeError} for bytes that are not documents
 */
export function* documentsIn(part: Buffer): Generator<Buffer> {
  for (let at = 0; at < part.length; ) {
    const length = at + 4 <= part.length ? part.readInt32LE(at) : 0;
    if (length < 5 || at + length > part.length) throw new RangeError('a part ends inside a document');
    yield part.subarray(at, at + length);
    at += length;
  }
}
