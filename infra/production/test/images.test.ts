import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SERVICES } from '@cord/contracts/endpoint';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { type Any, isPinned, ROOT, script, text, unread } from './files.js';

const source = text('images/Dockerfile');
const dockerfile = DockerfileParser.parse(source);
const froms = dockerfile.getFROMs();
const stages = froms.map((from) => from.getBuildStage());

/** What an instruction of this name says, all of them. */
function said(keyword: string): string[] {
  const found = dockerfile.getInstructions().filter((one) => one.getKeyword() === keyword);
  return found.map((one) => one.getArgumentsContent() ?? '');
}

/** The scripts of ours that a script imports; what a publish or a build of this checkout alone loads is no part of an image. */
function importsOf(file: string): string[] {
  const content = readFileSync(`${ROOT}${file}`, 'utf8').replace(/^ \*.*$/gm, '');
  const later = /\b(publish|build|install)\.mjs$/.test(file) ? /(?!)/g : /import\(\s*'([^']+\.mjs)'/g;
  const found = [...content.matchAll(/(?:from|^import) '([^']+\.mjs)'/gm), ...content.matchAll(later)];
  return found.map(([, path = '']) =>
    path.startsWith('@cord/') ? path.replace('@cord/', 'infra/') : join(dirname(file), path),
  );
}

describe('the images', () => {
  test('their file has no fault', () => {
    expect(validate(source)).toEqual([]);
    expect(validate('FORM scratch\n').length).toBeGreaterThan(0);
  });

  test('stand on what is pinned, or on what is built here', () => {
    const [first] = froms;
    const [argument = ''] = said('ARG').filter((one) => one.startsWith('NODE_IMAGE='));
    expect(isPinned(argument.replace('NODE_IMAGE=', ''))).toBe(true);
    expect(source).toMatch(/^FROM \$\{NODE_IMAGE\} AS build$/m);
    for (const from of froms) expect([first?.getImage(), 'scratch', ...stages]).toContain(from.getImage());
  });

  test('what runs has a user of no rights, and nothing but what was put together', () => {
    expect(said('USER')).toEqual(['10001:10001']);
    for (const target of ['service', 'jobs', 'gateway'])
      expect(froms.find((from) => from.getBuildStage() === target)?.getImage()).toBe('runtime');
    expect(froms.find((from) => from.getBuildStage() === 'runtime')?.getImage()).toBe('scratch');
  });

  test('variables are read, programs are there', () => {
    const variables = said('ENV').flatMap((line) => [...line.matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name));
    expect(variables).toContain('METRICS_HOST');
    expect(
      unread(
        'gateway',
        variables.filter((name) => name !== 'CORD_DATA'),
      ),
    ).toEqual([]);
    const programs = said('RUN').flatMap((line) => /^node (\S+)/.exec(line)?.[1] ?? []);
    expect(programs.length).toBeGreaterThan(4);
    for (const program of programs) expect(existsSync(`${ROOT}${program}`), program).toBe(true);
  });

  test('carry what their programs import', async () => {
    const { contentsOf, packagesFor } = await script('production/images/assemble.mjs');
    for (const kind of [...SERVICES, 'jobs', 'gateway']) {
      const { parts, runs } = contentsOf(kind);
      const made = /^(dist|package\.json)$/;
      for (const { dir, ships } of parts)
        for (const path of ships.filter((one: string) => !made.test(one)))
          expect(existsSync(`${ROOT}${dir}/${path}`), `${kind} ${dir}/${path}`).toBe(true);
      const packages: string[] = packagesFor(runs);
      expect(packages).toContain('node_modules/koa');
      expect(packages.filter((path) => /typescript|vitest|rspack|@types/.test(path))).toEqual([]);
    }
    expect(() => contentsOf('minning')).toThrow('no image minning');
  });

  test('carry every script that their programs import', async () => {
    const { contentsOf } = await script('production/images/assemble.mjs');
    const programs = {
      jobs: [
        'infra/audit/run.mjs',
        ...['data', 'dlq', 'keys', 'migrate', 'switch', 'topology'].map((name) => `infra/dev/${name}.mjs`),
      ],
      gateway: ['infra/deploy/module.mjs', 'infra/deploy/publish-built.mjs'],
    };
    for (const [kind, started] of Object.entries(programs)) {
      const shipped: string[] = contentsOf(kind).parts.flatMap(({ dir, ships }: Any) =>
        ships.map((path: string) => `${dir}/${path}`),
      );
      const carried = (file: string) => shipped.some((path) => file === path || file.startsWith(`${path}/`));
      const seen = new Set(started);
      for (const file of seen) for (const other of importsOf(file)) seen.add(other);
      expect(seen.size).toBeGreaterThan(10);
      expect([...seen].filter((file) => !carried(file))).toEqual([]);
    }
  });
});
