import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endGroup } from '../../dev/starter/process-group.ts';

/** Replaces the starter: stops in order when its IPC channel closes, like the real one. */
const STARTER = `
import { writeFileSync } from 'node:fs';
process.once('disconnect', () => {
  writeFileSync('ended', 'in order');
  process.exit(0);
});
console.log('CORD is ready at http://localhost:1');`;

test('a system under test shuts down in order when its tests are killed', async () => {
  const root = mkdtempSync(join(tmpdir(), 'cord-killed-'));
  mkdirSync(join(root, 'infra/dev'), { recursive: true });
  writeFileSync(join(root, 'infra/dev/start.mjs'), STARTER);
  const tests = `
    const { System } = await import(${JSON.stringify(new URL('./system.ts', import.meta.url).href)});
    await new System([], { root: ${JSON.stringify(root)} }).ready();
    console.log('ready');`;
  const killed = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', tests], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  await once(killed.stdout, 'data');
  endGroup(killed);
  await expect.poll(() => readFileSync(join(root, 'ended'), 'utf8')).toBe('in order');
});
