import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readBy, SECRET_VARIABLES, unknownVariables, VARIABLES } from '@cord/kit/variables';
import { describe, expect, test } from 'vitest';
import { envOf } from '../starter/services.ts';
import { RULES } from '../starter/settings.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const named = Object.keys(VARIABLES);

/** Names that a configuration declares. */
const declaredIn = (file: string) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^ {2,6}([A-Z][A-Z_]{2,}):(?! true)/gm)].map(
    ([, name = '']) => name,
  );
const services = readdirSync(join(ROOT, 'services')).filter((name) =>
  existsSync(join(ROOT, 'services', name, 'config.ts')),
);

describe('the table of variables', () => {
  test('names what services, gateway and stand-ins declare, and nothing else', () => {
    const configs = [
      ...services.map((name) => `services/${name}/config.ts`),
      ...['infra/gateway', 'infra/dev/console', 'infra/dev/solana'].map((folder) => `${folder}/config.ts`),
    ];
    const files = SECRET_VARIABLES.map((name) => `${name}_FILE`);
    const declared = configs.flatMap(declaredIn).filter((name) => !files.includes(name));
    const ofTheStart = named.filter((name) =>
      VARIABLES[name]?.by.every((reader) => ['tests', 'start', '`npx cord streams`'].includes(reader)),
    );
    expect([...new Set([...declared, ...ofTheStart])].sort()).toEqual([...named].sort());
  });

  test('a service reads what it declares', () => {
    for (const name of services.filter((one) => one !== 'kit'))
      expect(readBy(name), name).toEqual(
        // Rewards makes its key of it where no start does, as the release before did.
        expect.arrayContaining(
          declaredIn(`services/${name}/config.ts`).filter((one) => !/_FILE$|^TOMBSTONE_KEY$/.test(one)),
        ),
      );
  });

  test('a start knows the values of all but those that it makes itself', () => {
    expect(Object.keys(RULES as object).sort()).toEqual(named.filter((name) => !VARIABLES[name]?.made).sort());
  });
});

describe('a process', () => {
  test('is given what it reads of the surroundings, the files of what it reads again, and nothing made elsewhere', () => {
    const all = Object.fromEntries(named.flatMap((name) => [name, `${name}_FILE`]).map((name) => [name, 'x']));
    const of = (process?: string) => Object.keys(envOf?.({ ...all, EDITOR: 'vi', OTEL_SERVICE: 'x' }, process)).sort();
    expect(of()).toEqual(['DISCORD_CLIENT_ID', 'HOST', 'LOG_LEVEL', 'NODE_ENV', 'OTEL_SERVICE', 'PORT']);
    expect(of('auth')).toEqual(expect.arrayContaining(['SESSION_SECRET', 'SESSION_SECRET_FILE', 'TOMBSTONE_KEY']));
    expect(of('rewards')).not.toEqual(expect.arrayContaining([expect.stringMatching(/TOMBSTONE|SIGNATURES|SESSION/)]));
    expect(of('gateway')).not.toContain('UPSTREAMS');
    expect(of('tasks')).not.toContain('ADDRESS_HASH_KEY');
  });
});

describe('a name that looks like ours', () => {
  test.each(['CORD_DTA', 'DISCORD_CLIENT_SECERT', 'RATE_LIMIT_SCAEL', 'SESSION_SECRET_OLD', 'NATS_RIGHTS_CREDZ'])(
    '%s is known to be none',
    (name) => {
      expect(unknownVariables({ [name]: 'x', PORT: '1' })).toEqual([name]);
    },
  );

  test('others’ names, empty ones and files of secrets are none', () => {
    const others = { SESSION_MANAGER: 'x', NODE_OPTIONS: 'x', SHELL: 'x', LOG_DIR: 'x', OTEL_X: 'x', CORD_Y: '' };
    expect(unknownVariables({ ...others, TOMBSTONE_KEY_FILE: 'x', DISCORD_CLIENT_SECRET_FILE: 'x' })).toEqual([]);
  });
});
