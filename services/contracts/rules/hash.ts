/** FNV-1a of a text, 32 bits: fast and well spread, not secret (secrets are hashed with a key). */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** Mixes a hash over all its 32 bits, so that texts that differ only in the last character end up far apart. */
export function mixHash(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (once ^ (once >>> 13)) >>> 0;
}
