// @ts-check
/**
 * `npm start`: everything on one origin. Plain JavaScript on Node's own modules up to the point where the dependencies are
 * installed; from there on starter/run.ts.
 */
import { readFlags, usage } from './starter/flags.mjs';
import { installDependencies } from './starter/install.mjs';
import { reachOwnMachine } from './starter/own-machine.mjs';
import { StartError } from './starter/problems.mjs';

/** Node 20 reads none: tsx, one of the dependencies, translates each file as it is imported. */
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
