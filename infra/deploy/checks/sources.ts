import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@cord/build/workspaces.ts';

const run = promisify(execFile);
const OUTPUT_MAX = 16 * 1024 * 1024;
const NOT_SHIPPED = ['**/*.test.*', '**/*.stories.*', 'dist', 'node_modules'];
const LINT_FINDING = /^::\w+ title=(?<rule>[^,]*),file=(?<file>.*?),line=(?<at>\d+),.*?::(?<message>.*)$/;
/** Maximum number of findings shown; more would hide the first. */
const FINDINGS_SHOWN = 10;

/**
 * Runs the type checker and the linter on a module's sources. Tests and stories are not shipped and left to its own pipeline.
 */
export async function sourceProblems(folder: string): Promise<string[]> {
  const [types, lint] = await Promise.all([typeProblems(folder), lintProblems(folder)]);
  return [...types, ...lint];
}

async function typeProblems(folder: string): Promise<string[]> {
  // Inside the checkout, so that type packages resolve.
  const cache = path.join(ROOT, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(path.join(cache, 'module-types-'));
  try {
    const config = {
      extends: path.join(ROOT, 'tsconfig.web.json'),
      include: [path.join(folder, '**/*'), path.join(ROOT, 'infra/build/css.d.ts')],
      exclude: NOT_SHIPPED.map((pattern) => path.join(folder, pattern)),
    };
    const project = path.join(scratch, 'tsconfig.json');
    await writeFile(project, JSON.stringify(config));
    const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    return (await findings(compiler, '-p', project, '--pretty', 'false')).map((line) => `types: ${line}`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function lintProblems(folder: string): Promise<string[]> {
  const linter = path.join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const flags = ['--config-path=biome.json', '--vcs-enabled=false', '--colors=off', '--reporter=github'];
  const lines = await findings(linter, 'check', ...flags, folder);
  const found = lines.flatMap((line) => lintFinding(line) ?? []);
  return (found.length > 0 ? found : lines).map((line) => `lint: ${line}`);
}

/** Converts a line of the linter's report to the type checker's format. */
function lintFinding(line: string): string | undefined {
  const { rule, file = '', at, message } = LINT_FINDING.exec(line)?.groups ?? {};
  return message && `${path.relative(ROOT, file)}(${at}): ${message} (${rule})`;
}

/** @returns the output of a failed Node program; empty on success */
async function findings(program: string, ...args: string[]): Promise<string[]> {
  try {
    await run(process.execPath, [program, ...args], { cwd: ROOT, maxBuffer: OUTPUT_MAX });
    return [];
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== 'number') throw error;
    const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim());
    const findings = lines.filter(Boolean);
    if (findings.length === 0) return [`${path.basename(program)} exited with ${code}`];
    const more = findings.length - FINDINGS_SHOWN;
    return [...findings.slice(0, FINDINGS_SHOWN), ...(more > 0 ? [`and ${more} more lines`] : [])];
  }
}
