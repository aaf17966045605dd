/** `npm run module -- publish|rollback|list [NAME]`: modules of the front end, each shipped alone (design.md, Front end). */
import { runCommand } from '../dev/starter/commands.mjs';
import { installDependencies } from '../dev/starter/install.mjs';
import { StartError } from '../dev/starter/problems.mjs';

const USAGE = `npm run module -- list | publish NAME | rollback NAME [VERSION]
  list       the modules, the version in use (*) and those that can be rolled back to
  publish    builds a module, uploads it and switches to it: NAME such as tasks, mfe-tasks or mfe_tasks
  rollback   switches to the version before, or to VERSION; the shell is not rebuilt
  The store is MODULE_STORE, else the one that npm start serves.`;

await runCommand(async () => {
  const [verb, name, version, ...rest] = process.argv.slice(2);
  const takesName = verb === 'publish' || verb === 'rollback';
  const fits = rest.length === 0 && (takesName ? name && (verb === 'rollback' || !version) : verb === 'list' && !name);
  if (!fits) throw new StartError(USAGE);
  await installDependencies();
  const store = await import('../build/module-store.mjs');
  if (verb === 'list') return list(store);
  const { federatedName, folderName } = names(name);
  if (verb === 'rollback') return rollback(store, federatedName, version);
  await publish(store, federatedName, folderName);
});

function names(text) {
  const short = text.replace(/^mfe[-_]/, '');
  if (!/^[a-z]+$/.test(short)) throw new StartError(`${text} is no module's name`);
  return { federatedName: `mfe_${short}`, folderName: `mfe-${short}` };
}

function list({ moduleStoreDir, readRegistry, publishedVersions }) {
  const { modules } = readRegistry();
  console.log(`modules in ${moduleStoreDir()}`);
  for (const [name, { version, sdk }] of Object.entries(modules).sort()) {
    console.log(`${name}  sdk ${sdk}`);
    for (const each of publishedVersions(name)) console.log(`  ${each === version ? '*' : ' '} ${each}`);
  }
}

async function publish({ readRegistry, isPublished, switchTo }, name, folder) {
  const { buildWeb } = await import('../build/web-build.mjs');
  let built;
  await buildWeb({
    only: [folder],
    onBuilt: (result) => {
      built = result;
    },
  });
  if (!built) throw new StartError(`there is no module ${folder}`);
  // An upload of the same sources leaves a rollback as it is; who publishes by hand means this version.
  if (isPublished(name, built.version)) switchTo(name, built.version);
  console.log(`${name} is at ${readRegistry().modules[name].version}`);
}

function rollback({ readRegistry, publishedVersions, switchTo }, name, version) {
  const current = readRegistry().modules[name]?.version;
  if (!current) throw new StartError(`${name} was never published`);
  const target = version ?? publishedVersions(name).find((each) => each !== current);
  if (!target) throw new StartError(`${name} has no other version`);
  switchTo(name, target);
  console.log(`${name} is at ${target}; it was at ${current}`);
}
