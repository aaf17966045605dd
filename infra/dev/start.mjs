// @ts-check
/**
 * `npm start`: runs the whole system on one origin. Uses plain JavaScript and Node's own modules until the dependencies
 * are installed, then starter/run.ts.
 */
import { readFlags, usage } from './starter/flags.mjs';
import { installDependencies } from './starter/install.mjs';
import { reachOwnMachine } from './starter/own-machine.mjs';
import { StartError } from './starter/problems.mjs';

/** Registers tsx, which translates each imported file: Node 20 cannot read TypeScript. */
async function readTypeScript() {
  const { register } = await import('tsx/esm/api');
  register();
}

try {
  reachOwnMachine();
  const flags = readFlags(process.argv.slice(2));
  if (flags.help) {
    console.log(usage);
  } else if (flags.shell !== undefined) {
    await installDependencies();
    await readTypeScript();
    const { runInShell } = await import('./starter/module-in-shell.ts');
    await runInShell({ ...flags, shell: flags.shell });
  } else {
    await installDependencies();
    await readTypeScript();
    const { readSettings } = await import('./starter/settings.ts');
    const settings = readSettings(flags, process.env);
    for (const name of settings.unread) console.log(`${name} is set but not used here`);
    const { run } = await import('./starter/run.ts');
    await run(settings);
  }
} catch (error) {
  console.error(error instanceof StartError ? `\nCORD cannot start: ${error.message}` : error);
  process.exitCode = 1;
  // Whatever an abandoned step still holds open does not keep the command from ending.
  setTimeout(() => process.exit(1), 1_000).unref();
}
