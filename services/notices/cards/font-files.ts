import { readFile } from 'node:fs/promises';
import { convert } from 'fontverter';
import { Blob, Face } from 'harfbuzzjs';
import { LRUCache } from 'lru-cache';

/** A font's file as what cuts fonts and what draws them can read it. */
interface FontFile {
  sfnt: Buffer;
  /** The code points that it has. */
  points: ReadonlySet<number>;
}

/** Files that were used last, 30 to 200 KB each. */
const FILES_KEPT = 32;

const kept = new LRUCache<string, FontFile>({ max: FILES_KEPT, fetchMethod: read });

/** Reads a file of a font, and what it really has: lists of ranges promise more. @param file woff2 */
export function fontIn(file: string): Promise<FontFile> {
  return kept.forceFetch(file);
}

async function read(file: string): Promise<FontFile> {
  const sfnt = await convert(await readFile(file), 'sfnt');
  const face = new Face(new Blob(new Uint8Array(sfnt).buffer));
  return { sfnt, points: new Set(face.collectUnicodes()) };
}
