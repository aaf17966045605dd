import { join } from 'node:path';
import { ROOT } from '../../dev/starter/paths.mjs';

/** The commit that was released as 1.0.0. */
export const RELEASE = 'c460e22';
const FOLDER = join(ROOT, 'infra/test/migration');
export const DATA_FILE = join(FOLDER, 'release-1.0.0.tar.gz');
export const PEOPLE_FILE = join(FOLDER, 'release-1.0.0.json');
