import { crc32 } from 'node:zlib';
import { ERROR_CODES, MongoError } from '../errors.js';

/** A document as it lies on the disk: its BSON, then the CRC-32 of that. It ends by the BSON's own length. */
const SEAL_BYTES = 4;

export function seal(bytes: Buffer): Buffer {
  const sealed = Buffer.allocUnsafe(bytes.length + SEAL_BYTES);
  bytes.copy(sealed);
  sealed.writeUInt32LE(crc32(bytes), bytes.length);
  return sealed;
}

/**
 * The BSON of a stored document.
 * @throws MongoError 301 that names the place, for bytes that are not those that were written
 */
export function unseal(sealed: Buffer, place: string): Buffer {
  const length = sealed.length < 4 ? 0 : sealed.readInt32LE(0);
  if (length === sealed.length - SEAL_BYTES) {
    const bytes = sealed.subarray(0, length);
    if (crc32(bytes) === sealed.readUInt32LE(length)) return bytes;
  }
  throw corrupted(`${place} is damaged: its bytes do not fit their checksum`);
}

/** What the disk gave back is not what was written: never answered with a part of the data. */
export const corrupted = (message: string): MongoError =>
  new MongoError(ERROR_CODES.DataCorruptionDetected, `${message}. Restore the data folder from an export.`);
