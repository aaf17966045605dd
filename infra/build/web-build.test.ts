import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { distOf, readStamp, STAMP } from './built.ts';
import { ROOT } from './workspaces.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'cord-built-'));

test.each([
  [['--web', 'mfe-taks'], /no web package mfe-taks; the web packages are shell, /],
  [['--web', 'mfe-tasks/'], /no web package mfe-tasks\/; the web packages are shell, /],
  [['--web', '--node'], /--web and --node/],
  [['--node', 'mfe-tasks'], /--node does not build web packages/],
])('a build without a valid target is rejected: %j', (args, message) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['infra/build/build.mjs', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(stderr).toMatch(message);
  expect([status, stdout]).toEqual([1, '']);
});

test('a stamp that a crash left incomplete is ignored, so the package is rebuilt', () => {
  const dir = path.relative(ROOT, scratch);
  expect(readStamp(dir)).toBeNull();
  mkdirSync(distOf(dir));
  for (const text of ['', '{"version":"1.0', 'null']) {
    writeFileSync(path.join(distOf(dir), STAMP), text);
    expect(readStamp(dir)).toBeNull();
  }
  const stamp = { version: '1.0.0-a', sdk: '^1.0.0', ui: '^1.0.0' };
  writeFileSync(path.join(distOf(dir), STAMP), JSON.stringify(stamp));
  expect(readStamp(dir)).toEqual(stamp);
});
