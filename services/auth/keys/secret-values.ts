import { readFileSync } from 'node:fs';
import { parseSecretValues } from '@cord/kit/variable-formats';

/** The values of a secret that may be renewed while it is in use: the first makes, each of them reads. Never empty. */
export type SecretValues = () => readonly string[];

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
