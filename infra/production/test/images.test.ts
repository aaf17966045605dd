import { existsSync } from 'node:fs';
import { SERVICES } from '@cord/contracts/endpoint';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { isPinned, ROOT, script, text, unread } from './files.js';

const source = text('images/Dockerfile');
const dockerfile = DockerfileParser.parse(source);
const froms = dockerfile.getFROMs();
const stages = froms.map((from) => from.getBuildStage());

/** What an instruction of this name says, all of them. */
function said(keyword: string): string[] {
  const found = dockerfile.getInstructions().filter((one) => one.getKeyword() === keyword);
  return found.map((one) => one.getArgumentsContent() ?? '');
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
});
