/** Under which a browser keeps what its lots are drawn from. */
const SEED_KEY = 'cord.canary-lot';

/**
 * This browser's place in the draw for a module's canary, 0 to 1: it stays, and each module draws anew, so that not the same people get every canary.
 * @returns the lot of a module
 */
export function canaryLots(storage: Pick<Storage, 'getItem' | 'setItem'>): (module: string) => number {
  const seed = storage.getItem(SEED_KEY) ?? String(Math.random());
  storage.setItem(SEED_KEY, seed);
  return (module) => mixed(`${seed} ${module}`) / 2 ** 32;
}

/** FNV-1a of a text, its bits mixed once more as murmur3 does at its end: texts that differ little lie far apart. */
function mixed(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
