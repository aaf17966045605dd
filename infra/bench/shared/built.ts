import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../dev/starter/paths.mjs';

/**
 * A compiled file of a service, as the service itself runs it: a source file that tsx translates on the way keeps the names of its functions by a
 * call each, which a measure would show.
 * @param file below services, such as `mining/dist/data.js`; M is `typeof import(...)` of its source
 */
export function built<M>(file: string): Promise<M> {
  return import(pathToFileURL(join(ROOT, 'services', file)).href);
}
