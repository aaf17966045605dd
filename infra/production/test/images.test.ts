import { existsSync } from 'node:fs';
import { SERVICES } from '@cord/contracts/endpoint';
import { describe, expect, test } from 'vitest';
import { isPinned, ROOT, script, text, unread } from './files.js';

const source = text('images/Dockerfile');
const stages = source.split(/^(?=FROM )/m).slice(1);
const stage = (name: string) => stages.find((one) => one.split('\n', 1)[0]?.endsWith(` AS ${name}`)) ?? '';

/** Of each instruction of this name what follows it. */
const argumentsOf = (keyword: string, text = source) =>
  [...text.matchAll(new RegExp(`^${keyword} (.*)$`, 'gm'))].map(([, rest = '']) => rest);

describe('the images', () => {
  test('stand on one pinned official image, given by an argument, or on a stage before', () => {
    const [node = ''] = argumentsOf('ARG').filter((one) => one.startsWith('NODE_IMAGE='));
    expect(isPinned(node.replace('NODE_IMAGE=', ''))).toBe(true);
    const seen = [`\${NODE_IMAGE}`];
    for (const from of argumentsOf('FROM')) {
      const [, base = '', name = ''] = /^(\S+) AS (\S+)$/.exec(from) ?? [];
      expect(seen, from).toContain(base);
      seen.push(name);
    }
  });

  test('run as a user of no rights, without the stage that builds', () => {
    expect(argumentsOf('USER')).toEqual(['10001:10001']);
    expect(stage('runtime')).toContain('USER 10001:10001');
    for (const target of ['service', 'jobs', 'gateway']) expect(stage(target)).toMatch(/^FROM runtime /);
  });

  test('variables are read, and programs are files of the checkout', () => {
    const variables = argumentsOf('ENV').flatMap((line) =>
      [...line.matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name),
    );
    expect(variables).toContain('METRICS_HOST');
    const ofGateway = variables.filter((name) => name !== 'CORD_DATA');
    expect(unread('gateway', ofGateway)).toEqual([]);
    const programs = argumentsOf('RUN').flatMap((line) => /^node (\S+)/.exec(line)?.[1] ?? []);
    for (const program of [...programs, 'infra/production/images/ready.mjs'])
      expect(existsSync(`${ROOT}${program}`), program).toBe(true);
    for (const name of SERVICES) expect(existsSync(`${ROOT}services/${name}/main.ts`)).toBe(true);
    expect(existsSync(`${ROOT}infra/gateway/main.ts`)).toBe(true);
  });

  test('carry the packages of production alone, and every workspace on which theirs run', async () => {
    const { readWorkspaces } = await script('build/workspaces.mjs');
    const workspaces: { name: string; dir: string; runsOn: string[] }[] = [...readWorkspaces().values()];
    const byName = new Map(workspaces.map((one) => [one.name, one]));
    for (const target of ['service', 'jobs', 'gateway']) {
      const [install = ''] = argumentsOf('RUN', stage(`${target}-packages`)).filter((line) =>
        line.startsWith('npm ci'),
      );
      expect(install).toContain('--omit=dev');
      const given = [...install.matchAll(/-w (\S+)/g)].map(([, dir = '']) => dir.replace(`\${SERVICE}`, 'rewards'));
      const wanted = new Set(
        workspaces.filter(({ dir }) => given.some((one) => dir === one || dir.startsWith(`${one}/`))),
      );
      expect(wanted.size, install).toBeGreaterThan(0);
      for (const one of wanted)
        for (const name of one.runsOn) wanted.add(byName.get(name) as (typeof workspaces)[number]);
      const copied = [...stage(target).matchAll(/^COPY --from=\S+-packages \/cord(\S*) /gm)].map(([, dir = '']) =>
        dir.slice(1).replace(`\${SERVICE}`, 'rewards'),
      );
      for (const { dir } of wanted)
        expect(
          copied.some((one) => one === '' || dir === one || dir.startsWith(`${one}/`)),
          `${target} ${dir}`,
        ).toBe(true);
    }
  });
});
