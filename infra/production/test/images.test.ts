import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { SERVICES } from '@cord/contracts/endpoint';
import { describe, expect, test } from 'vitest';
import { sourceFiles } from '../../build/source-files.ts';
import { HERE, isPinned, ROOT, text, unread } from './files.js';

const source = text('images/Dockerfile').replaceAll('\\\n', '');
const last = source.slice(source.lastIndexOf('\nFROM '));

/** Returns the arguments of each instruction of this name. */
const argumentsOf = (keyword: string, text = source) =>
  [...text.matchAll(new RegExp(`^${keyword} (.*)$`, 'gm'))].map(([, rest = '']) => rest);

/** Whether an image is built without a file of the checkout: by Docker's rules a pattern starts at the root and includes everything below. */
function isInNoImage(file: string): boolean {
  const patterns = readFileSync(`${ROOT}.dockerignore`, 'utf8').split('\n');
  return patterns
    .filter((line) => line !== '' && !line.startsWith('#'))
    .some((pattern) => {
      const anywhere = pattern.startsWith('**/') ? '(.*/)?' : '';
      const inner = pattern
        .replace(/^\*\*\//, '')
        .replaceAll('.', '\\.')
        .replaceAll('*', '[^/]*');
      return new RegExp(`^${anywhere}${inner}(/|$)`).test(file);
    });
}

/** Whether `git add` ignores a file of the checkout. */
const isInNoCommit = (file: string) =>
  spawnSync('git', ['check-ignore', '--quiet', '--no-index', file], { cwd: ROOT }).status === 0;

/** Returns the folders in which a README's commands create secrets, from the root of the checkout. */
function secretsOf(readme: string): string {
  const [, commands = ''] = /```\n([\s\S]*?)```/.exec(text(readme)) ?? [];
  const lines = commands.split('\n').filter((line) => /^(cd |[A-Z]+=|npx cord secrets )/.test(line));
  const script = ['npx() { printf %s "$3"; }', ...lines].join('\n');
  const { stdout } = spawnSync('bash', ['-ec', script], { cwd: ROOT, encoding: 'utf8' });
  expect(stdout, readme).toMatch(/^\//);
  return relative(ROOT, stdout);
}

describe('secrets of a deployment', () => {
  test.each(['compose/README.md', 'kubernetes/README.md'])(
    'created by the commands of %s are in no image and no commit',
    (readme) => {
      const folder = secretsOf(readme);
      for (const file of ['auth/TOMBSTONE_KEY', 'authority/ca.key'].map((name) => join(folder, name)))
        expect(file.startsWith('../') || (isInNoImage(file) && isInNoCommit(file)), file).toBe(true);
    },
  );

  test.each([
    'secrets/auth/TOMBSTONE_KEY',
    'infra/production/kubernetes/secrets/jobs/MONGODB_URI',
    'authority/ca.key',
    'infra/production/compose/.env',
    'site.key',
  ])('%s is in no image and no commit', (file) => {
    expect([isInNoImage(file), isInNoCommit(file)]).toEqual([true, true]);
  });

  test('in data folders, including those in the documents, are in no image and no commit', () => {
    const documents = sourceFiles('**/*.md', ROOT).map((file) => readFileSync(`${ROOT}${file}`, 'utf8'));
    const named = documents.flatMap((one) =>
      [...one.matchAll(/--data (\.\w[\w.-]*)/g)].map(([, folder = '']) => folder),
    );
    expect(named).toContain('.data-2');
    for (const file of ['.data', ...named].map((folder) => `${folder}/mongod/WiredTiger`))
      expect([isInNoImage(file), isInNoCommit(file)], file).toEqual([true, true]);
  });

  test('are the only files left out: code and examples are in', () => {
    for (const file of ['infra/production/secrets.ts', 'infra/production/compose/example.env', 'package.json'])
      expect([isInNoImage(file), isInNoCommit(file)], file).toEqual([false, false]);
  });

  test('are excluded by one .dockerignore at the root, which every builder reads', () => {
    expect(existsSync(`${HERE}images/Dockerfile.dockerignore`)).toBe(false);
  });
});

test.each(['compose/README.md', 'kubernetes/README.md'])(
  'the commands of %s install the packages before the first npx cord',
  (readme) => {
    const [, commands = ''] = /```\n([\s\S]*?)```/.exec(text(readme)) ?? [];
    const lines = commands.split('\n');
    expect(lines[0]).toBe('npm ci');
    expect(lines.findIndex((line) => line.startsWith('npx cord'))).toBeGreaterThan(0);
  },
);

describe('the image', () => {
  test('is based on one pinned official image, given by an argument', () => {
    const [node = ''] = argumentsOf('ARG').filter((one) => one.startsWith('NODE_IMAGE='));
    expect(isPinned(node.replace('NODE_IMAGE=', ''))).toBe(true);
    expect(argumentsOf('FROM')).toEqual([`\${NODE_IMAGE} AS build`, `\${NODE_IMAGE}`]);
  });

  test('runs as an unprivileged user', () => {
    expect(argumentsOf('USER')).toEqual(['10001:10001']);
    expect(last).toContain('\nUSER 10001:10001\n');
    expect(argumentsOf('RUN', last)).toEqual([]);
  });

  test('sets only variables that are read, and starts only files of the checkout', () => {
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

  test('has the production packages of every program that runs in it', () => {
    const install = /npm ci --omit=dev .*$/m.exec(argumentsOf('RUN').join('\n'))?.[0] ?? '';
    const given = [...install.matchAll(/-w (\S+)/g)].map(([, dir = '']) => dir);
    for (const dir of [...SERVICES.map((name) => `services/${name}`), 'infra/gateway', 'infra/cli', 'infra/audit'])
      expect(
        given.some((one) => dir === one || dir.startsWith(`${one}/`)),
        dir,
      ).toBe(true);
  });
});
