import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../dev/starter/paths.mjs';

/**
 * Imports a compiled file of a service, as the service runs it. tsx would add a call per function to keep names, which
 * a measurement would show.
 * @param file below services, such as `mining/dist/data.js`; M is `typeof import(...)` of its source
 */
export function built<M>(file: string): Promise<M> {
  return import(pathToFileURL(join(ROOT, 'services', file)).href);
}
