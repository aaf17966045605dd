import { copyFile, rename, stat, truncate } from 'node:fs/promises';

/** A log may grow to this before what it has becomes the one before. */
const BYTES_MAX = 32 * 1024 * 1024;
const LOOK_EVERY_MS = 30_000;

/**
 * Keeps a log file, and what it was before (`.1`, `.2`), each below a size. The process that appends to it keeps its handle: the
 * file is copied and emptied, and what is written in that moment may be lost.
 * @param {string} file @returns {NodeJS.Timeout} to be cleared when nobody writes any more; it keeps no process alive
 */
export function keepBounded(file) {
  return setInterval(() => void roll(file).catch(() => {}), LOOK_EVERY_MS).unref();
}

/** @param {string} file @param {number} bytesMax @returns {Promise<boolean>} whether it was too long */
export async function roll(file, bytesMax = BYTES_MAX) {
  const { size } = await stat(file);
  if (size <= bytesMax) return false;
  await rename(`${file}.1`, `${file}.2`).catch(() => {});
  await copyFile(file, `${file}.1`);
  await truncate(file);
  return true;
}
