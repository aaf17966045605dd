import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ENDPOINTS } from '@cord/contracts/http/index';
import { describe, expect, it } from 'vitest';
import contractAddresses from './contract-addresses.mjs';
import { z } from './schemas-off.mjs';
import { ROOT } from './workspaces.mjs';

const FOLDER = path.join(ROOT, 'services/contracts/http');

const slim = (source: string, file = 'probe.ts') =>
  contractAddresses.call({ resourcePath: path.join(FOLDER, file) }, source);

describe('the contract in a browser bundle', () => {
  it('keeps an endpoint’s address and leaves its schemas out', () => {
    const code = slim(`
      import { z } from 'zod';
      import { endpoint } from '../endpoint.js';
      const body = z.object({ userId: z.string() });
      export const things = {
        make: endpoint({ id: 'things.make', method: 'POST', path: '/things', access: 'self', body, response: z.array(body), summary: 'Make' }),
      } as const;`);
    expect(code).toContain("id: 'things.make'");
    expect(code).toContain("path: '/things'");
    expect(code).not.toContain('userId');
    expect(code).not.toContain('response');
  });

  it('drops what is made from a schema, and keeps plain values and types', () => {
    const code = slim(`
      import { z } from 'zod';
      export const PERIODS = ['all-time', 'daily'] as const;
      export const period = z.enum(PERIODS);
      export const names = Object.keys(period.options);
      export type Period = z.infer<typeof period>;`);
    expect(code).toContain('PERIODS');
    expect(code).toContain('type Period');
    expect(code).not.toContain('const period');
    expect(code).not.toContain('const names');
  });

  it('still holds every endpoint of the contract', () => {
    const code = readdirSync(FOLDER)
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => slim(readFileSync(path.join(FOLDER, file), 'utf8'), file))
      .join('\n');
    for (const { id, path: address } of ENDPOINTS) {
      expect(code).toContain(`id: '${id}'`);
      expect(code).toContain(`path: '${address}'`);
    }
  });

  it('refuses to check anything with a schema that is left over', () => {
    const schema = z.object({ name: z.string().min(1) }).partial();
    expect(() => schema.parse({})).toThrow('the services do');
    expect(() => schema.safeParse({})).toThrow(TypeError);
  });
});
