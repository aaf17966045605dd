// `npm run storybook` opens the catalogue with hot reload; `npm run storybook -- build` writes storybook-static;
// `npm run storybook -- test` visits every story (see test/run.ts). Nothing leaves the machine.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [command = 'dev', ...rest] = process.argv.slice(2);
const storybook = join(
  dirname(createRequire(import.meta.url).resolve('storybook/package.json')),
  'dist/bin/dispatcher.js',
);

const commands: Record<string, string[]> = {
  dev: [storybook, 'dev', '--no-open', '--disable-telemetry', '--no-version-updates', ...rest],
  build: [storybook, 'build', '--output-dir', 'storybook-static', '--disable-telemetry', '--quiet', ...rest],
  test: ['--import', 'tsx', join(here, 'test/run.ts'), ...rest],
};
const args = Object.entries(commands).find(([name]) => name === command)?.[1];
if (!args) {
  console.error(`Unknown command "${command}". Use one of: ${Object.keys(commands).join(', ')}`);
  process.exit(2);
}

const child = spawn(process.execPath, args, {
  cwd: here,
  stdio: 'inherit',
  env: { ...process.env, STORYBOOK_DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1' },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
