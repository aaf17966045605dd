import { existsSync } from 'node:fs';
import { SERVICES } from '@cord/contracts/endpoint';
import { describe, expect, test } from 'vitest';
import { isPinned, ROOT, text, unread } from './files.js';

const source = text('images/Dockerfile').replaceAll('\\\n', '');
const last = source.slice(source.lastIndexOf('\nFROM '));

/** Of each instruction of this name what follows it. */
const argumentsOf = (keyword: string, text = source) =>
  [...text.matchAll(new RegExp(`^${keyword} (.*)$`, 'gm'))].map(([, rest = '']) => rest);

describe('the image', () => {
  test('stands on one pinned official image, given by an argument', () => {
    const [node = ''] = argumentsOf('ARG').filter((one) => one.startsWith('NODE_IMAGE='));
    expect(isPinned(node.replace('NODE_IMAGE=', ''))).toBe(true);
    expect(argumentsOf('FROM')).toEqual([`\${NODE_IMAGE} AS build`, `\${NODE_IMAGE}`]);
  });

  test('runs as a user of no rights', () => {
    expect(argumentsOf('USER')).toEqual(['10001:10001']);
    expect(last).toContain('\nUSER 10001:10001\n');
    expect(argumentsOf('RUN', last)).toEqual([]);
  });

  test('has variables that are read, and programs that are files of the checkout', () => {
    const variables = argumentsOf('ENV').flatMap((line) =>
      [...line.matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name),
    );
    for (const who of [...SERVICES, 'gateway']) expect(unread(who, variables), who).toEqual([]);
    const programs = argumentsOf('RUN').flatMap((line) => [...line.matchAll(/\bnode (\S+)/g)].map(([, file]) => file));
    expect(programs).toHaveLength(1);
    for (const program of [...programs, 'infra/production/images/ready.mjs'])
      expect(existsSync(`${ROOT}${program}`), program).toBe(true);
    for (const name of SERVICES) expect(existsSync(`${ROOT}services/${name}/main.ts`)).toBe(true);
    expect(existsSync(`${ROOT}infra/gateway/main.ts`)).toBe(true);
  });

  test('carries the packages of production of every program that runs in it', () => {
    const install = /npm ci --omit=dev .*$/m.exec(argumentsOf('RUN').join('\n'))?.[0] ?? '';
    const given = [...install.matchAll(/-w (\S+)/g)].map(([, dir = '']) => dir);
    for (const dir of [...SERVICES.map((name) => `services/${name}`), 'infra/gateway', 'infra/cli', 'infra/audit'])
      expect(
        given.some((one) => dir === one || dir.startsWith(`${one}/`)),
        dir,
      ).toBe(true);
  });
});
