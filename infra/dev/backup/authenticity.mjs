import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/*
 * The hashes of a backup say that nothing was damaged. That nobody has changed it is said by an HMAC-SHA-256 of the manifest, which has the
 * hash of every part. Its key is made of TOMBSTONE_KEY, which a system keeps for ever; a passphrase opens that key in the file's own secrets.
 */

const keyOf = (tombstoneKey) => Buffer.from(hkdfSync('sha256', tombstoneKey, 'cord', 'backup manifest', 32));

/** @param {Buffer} manifest @param {string} tombstoneKey of the system that is backed up @returns {string} 64 hex characters */
export function macOf(manifest, tombstoneKey) {
  return createHmac('sha256', keyOf(tombstoneKey)).update(manifest).digest('hex');
}

/** Whether a manifest was written by who has this key. @param {Buffer} manifest @param {string} mac of macOf @param {string} tombstoneKey */
export function isAuthentic(manifest, mac, tombstoneKey) {
  const [found, expected] = [Buffer.from(mac, 'hex'), Buffer.from(macOf(manifest, tombstoneKey), 'hex')];
  return found.length === expected.length && timingSafeEqual(found, expected);
}
