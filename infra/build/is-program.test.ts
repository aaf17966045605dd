import { spawnSync } from 'node:child_process';
import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './workspaces.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'cord-linked-'));

test('a program started through a link to the checkout runs as a program, not as an import', () => {
  const linked = path.join(folder, 'checkout');
  symlinkSync(ROOT, linked);
  const args = ['--import', 'tsx', path.join(linked, 'infra/build/pack.ts')];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  expect(stderr).toContain('infra/build/pack.ts FOLDER');
  expect(status).toBe(1);
});
