import { readFile } from 'node:fs/promises';
import { convert } from 'fontverter';
import { Blob, Face } from 'harfbuzzjs';
import { LRUCache } from 'lru-cache';

/** A font's file in the format for both the subsetter and the renderer. */
interface FontFile {
  sfnt: Buffer;
  /** The code points of the font. */
  points: ReadonlySet<number>;
}

/** Maximum number of cached files (LRU), 30 to 200 KB each. */
const FILES_KEPT = 32;

const kept = new LRUCache<string, FontFile>({ max: FILES_KEPT, fetchMethod: read });

/** Reads a font file and its actual code points: the published ranges include missing ones. @param file woff2 */
export function fontIn(file: string): Promise<FontFile> {
  return kept.forceFetch(file);
}

async function read(file: string): Promise<FontFile> {
  const sfnt = await convert(await readFile(file), 'sfnt');
  const face = new Face(new Blob(new Uint8Array(sfnt).buffer));
  return { sfnt, points: new Set(face.collectUnicodes()) };
}
