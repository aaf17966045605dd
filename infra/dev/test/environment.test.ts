import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SECRET_VARIABLES } from '@cord/kit/secret-files';
import { describe, expect, test } from 'vitest';
import { starter } from './starter.js';

const { VARIABLES } = await starter('settings');
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const rows = read('infra/dev/ENVIRONMENT.md')
  .split('\n')
  .filter((line) => /^\| [A-Z]/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));
const named = rows.map(([, name = '']) => name);
const secrets = rows.flatMap(([, name = '', , , , secret]) => (secret === 'yes' ? [name] : []));

/** Names that the configurations of services and gateway declare. */
const declared = [
  ...readdirSync(join(ROOT, 'services')).map((name) => `services/${name}/config.ts`),
  'infra/gateway/config.ts',
]
  .filter((file) => existsSync(join(ROOT, file)))
  .flatMap((file) => [...read(file).matchAll(/^ {2,6}([A-Z][A-Z_]{2,}):(?! true)/gm)].map(([, name = '']) => name));

describe('the table of variables', () => {
  test('names what the start, the services and the gateway read, and nothing else', () => {
    const ofTests = ['CORD_TEST_BACKEND'];
    const all = [...Object.keys(VARIABLES), ...declared].filter((name) => !ofTests.includes(name));
    const files = secrets.map((name) => `${name}_FILE`);
    expect([...new Set(all)].filter((name) => !files.includes(name)).sort()).toEqual([...named].sort());
  });

  test('says which are secret: those that may stand in a file', () => {
    expect([...secrets].sort()).toEqual([...SECRET_VARIABLES].sort());
  });
});
