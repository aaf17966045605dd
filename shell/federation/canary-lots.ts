/** Storage key of this browser's seed for canaries. */
const SEED_KEY = 'cord.canary-lot';

/**
 * Returns this browser's lot for a module's canary, 0 to 1. It is stable, and differs per module so that the same users do not get every canary.
 * @returns the lot of a module
 */
export function canaryLots(storage: Pick<Storage, 'getItem' | 'setItem'>): (module: string) => number {
  const seed = storage.getItem(SEED_KEY) ?? String(Math.random());
  storage.setItem(SEED_KEY, seed);
  return (module) => mixed(`${seed} ${module}`) / 2 ** 32;
}

/** FNV-1a hash of a text with the final mix of murmur3, so that similar texts lie far apart. */
function mixed(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
