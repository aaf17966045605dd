import { readFileSync } from 'node:fs';

/** The values of a secret that may be renewed while it is in use: the first makes, each of them reads. Never empty. */
export type SecretValues = () => readonly string[];

/** A new value beside the one it takes the place of. */
const VALUES_MAX = 2;
const CHARS_MIN = 32;

/**
 * `new,old`, or one value alone.
 * @throws RangeError saying what is wrong, never a value
 */
export function parseSecretValues(text: string): readonly string[] {
  const values = text.split(',');
  if (values.length > VALUES_MAX) throw new RangeError('must be one value, or a new and an old one with a comma');
  if (values.some((value) => value.length < CHARS_MIN))
    throw new RangeError(`must have at least ${CHARS_MIN} characters in each value`);
  return values;
}

/**
 * @param given values of the environment, which stay as long as the process
 * @param file read at each use instead, so that `npx cord keys` needs no restart; while it cannot be read, the last values hold
 * @throws RangeError when the file holds no values now
 */
export function secretValues(given: readonly string[] | undefined, file: string | undefined): SecretValues {
  if (file === undefined) {
    if (given === undefined) throw new RangeError('must be given, itself or as a file');
    return () => given;
  }
  const read = () => parseSecretValues(readFileSync(file, 'utf8').trim());
  let last = read();
  return () => {
    try {
      last = read();
    } catch {
      // Half a renewal by hand is no reason to refuse a sign-in.
    }
    return last;
  };
}
