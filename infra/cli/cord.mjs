#!/usr/bin/env node
// @ts-check
import { reachOwnMachine } from '../dev/starter/own-machine.mjs';

reachOwnMachine();
// Node 20 cannot read TypeScript, so tsx translates the rest of the command line.
const { register } = await import('tsx/esm/api').catch((error) => {
  console.error(`${error.message}\nThe dependencies are not installed: npm ci, or npm start, installs them.`);
  process.exit(1);
});
register();
const { run } = await import('./program.ts');
await run(process.argv);
