import { mongo } from 'mongoose';

const { BSON } = mongo;

/** A document with each value of the type that it is stored with: int32, int64 and double stay apart. */
export const documentOf = (bytes: Uint8Array): mongo.BSON.Document => BSON.deserialize(bytes, { promoteValues: false });

/** The same as this program reckons with it: int64 is a bigint. */
export const valuesOf = (bytes: Uint8Array): mongo.BSON.Document => BSON.deserialize(bytes, { useBigInt64: true });

export const bytesOf = (document: mongo.BSON.Document): Buffer => Buffer.from(BSON.serialize(document));

/**
 * The documents of a part, one after the other as they were put there.
 * @throws {RangeError} for bytes that are no documents
 */
export function* documentsIn(part: Buffer): Generator<Buffer> {
  for (let at = 0; at < part.length; ) {
    const length = at + 4 <= part.length ? part.readInt32LE(at) : 0;
    if (length < 5 || at + length > part.length) throw new RangeError('a part does not end with a document');
    yield part.subarray(at, at + length);
    at += length;
  }
}
