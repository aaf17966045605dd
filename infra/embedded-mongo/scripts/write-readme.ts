import { readFileSync, writeFileSync } from 'node:fs';
import { withTables } from './readme.js';

/** `npm run readme`: writes the tables into README.md. Run from dist/scripts, two folders below it. */
const readme = new URL('../../README.md', import.meta.url);
writeFileSync(readme, withTables(readFileSync(readme, 'utf8')));
