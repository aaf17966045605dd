import { crc32 } from 'node:zlib';
import { ERROR_CODES, MongoError } from '../errors.js';

/** A document on disk: its BSON, then the CRC-32 of it. The BSON contains its length. */
const SEAL_BYTES = 4;

export function seal(bytes: Buffer): Buffer {
  const sealed = Buffer.allocUnsafe(bytes.length + SEAL_BYTES);
  bytes.copy(sealed);
  sealed.writeUInt32LE(crc32(bytes), bytes.length);
  return sealed;
}

/**
 * The BSON of a stored document.
 * @throws MongoError 301 that names the place if the checksum does not match
 */
export function unseal(sealed: Buffer, place: string): Buffer {
  const length = sealed.length < 4 ? 0 : sealed.readInt32LE(0);
  if (length === sealed.length - SEAL_BYTES) {
    const bytes = sealed.subarray(0, length);
    if (crc32(bytes) === sealed.readUInt32LE(length)) return bytes;
  }
  throw corrupted(`${place} is damaged: its bytes do not match their checksum`);
}

/** The data on disk differ from what was written; a partial result is never returned. */
export const corrupted = (message: string): MongoError =>
  new MongoError(ERROR_CODES.DataCorruptionDetected, `${message}. Restore the data folder from an export.`);
