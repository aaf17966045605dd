import { readFileSync } from 'node:fs';
import { parseSecretValues } from '@cord/kit/variable-formats';

/** The values of a renewable secret: the first one signs or seals, all of them verify or open. Never empty. */
export type SecretValues = () => readonly string[];

/**
 * @param given values of the environment, fixed for the process
 * @param file read at each use instead, so that `npx cord keys` needs no restart; while it is unreadable, the last values are used
 * @throws RangeError when the file holds no values now
 */
export function secretValues(given: readonly string[] | undefined, file: string | undefined): SecretValues {
  if (file === undefined) {
    if (given === undefined) throw new RangeError('is required, as a value or a file');
    return () => given;
  }
  const read = () => parseSecretValues(readFileSync(file, 'utf8').trim());
  let last = read();
  return () => {
    try {
      last = read();
    } catch {
      // An unfinished renewal by hand must not refuse a sign-in.
    }
    return last;
  };
}
