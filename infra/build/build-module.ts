#!/usr/bin/env node
/** `cord-build`, run in the folder of a module outside this repository: makes the dist for `npx cord module publish FOLDER`. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { compile } from './compile.ts';
import { factsOfModule, writeFacts } from './module-facts.ts';
import { surfaceOf } from './module-surface.ts';

const folder = process.cwd();
try {
  const facts = factsOfModule(folder);
  await compile(folder, { buildId: randomBytes(6).toString('hex') });
  await writeFacts(path.join(folder, 'dist'), { ...facts, surface: surfaceOf(folder) });
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
