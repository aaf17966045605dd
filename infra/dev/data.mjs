/** `npm run data -- export FILE | import FILE | reset`: the data of a running or stopped system. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { adminsIn } from './backup/admins.mjs';
import { exportTo, hashesIn } from './backup/export.mjs';
import { secretsOf } from './backup/keys.mjs';
import { Backup } from './backup/read.mjs';
import { BACKED_UP, passphraseFrom } from './backup/secrets.mjs';
import { importStopped } from './backup/stopped.mjs';
import { readCommand, runCommand } from './starter/commands.mjs';
import { readJson } from './starter/files.mjs';
import { giveOrder, ordersSocket } from './starter/orders.mjs';
import { isRunning } from './starter/pids.mjs';
import { StartError } from './starter/problems.mjs';
import { resetData } from './starter/reset.mjs';
import { runFile } from './starter/run-file.mjs';
import { withSecretFiles } from './starter/secret-files.mjs';
import { storeOf } from './starter/store-of.mjs';

const USAGE = `npm run data -- export FILE | import FILE | reset   [--data DIR]
  export   writes all data of one instant into FILE, while the system runs or not
             --with-secrets     keys too, sealed under a passphrase, and what hangs on them (address hashes)
             --erasures-only    nothing but who was erased: beside a backup that is older
  import   puts FILE in the place of all data there is; the services stand still meanwhile, and everybody signs in again
             --erasures FILE    who was erased since, of a system that is no more
             --without-secrets  leaves the keys of FILE closed
             --accept-drift     takes a ledger that does not add up
             --unverified       takes a file that is not signed, or by another system
             --yes              does not ask whether the admins that FILE holds may be admins
  reset    takes all data of a stopped system away
  A passphrase comes from --passphrase-file FILE, BACKUP_PASSPHRASE, or the terminal.`;
const FLAGS = {
  'with-secrets': { type: 'boolean' },
  'without-secrets': { type: 'boolean' },
  'accept-drift': { type: 'boolean' },
  unverified: { type: 'boolean' },
  yes: { type: 'boolean' },
  'erasures-only': { type: 'boolean' },
  erasures: { type: 'string' },
  'passphrase-file': { type: 'string' },
};
/** What each command takes beside --data. */
const OF_VERB = {
  export: ['with-secrets', 'erasures-only', 'passphrase-file'],
  import: ['without-secrets', 'accept-drift', 'unverified', 'yes', 'erasures', 'passphrase-file'],
  reset: [],
};

await runCommand(async () => {
  const { words, values, dataDir } = readCommand(process.argv.slice(2), USAGE, FLAGS);
  const [verb, file, ...rest] = words;
  const known = OF_VERB[verb];
  const foreign = Object.keys(values).find((flag) => flag !== 'data' && !known?.includes(flag));
  if (!known || rest.length > 0 || (verb === 'reset') !== (file === undefined)) throw new StartError(USAGE);
  if (foreign) throw new StartError(`${verb} takes no --${foreign}.\n\n${USAGE}`);
  const { env, problems } = withSecretFiles(process.env);
  if (problems.length > 0) throw new StartError(problems.join('\n'));
  const running = await readJson(runFile(dataDir));
  const given = { values, dataDir, env, local: env.NODE_ENV !== 'production' && !env.DISCORD_CLIENT_ID };
  given.isRunning = Object.values(running?.services ?? {})
    .flat()
    .some(isRunning);
  if (given.isRunning && running.mode !== (given.local ? 'local' : 'production'))
    throw new StartError(`the system runs in ${running.mode} mode: run this command with the same environment.`);
  if (verb === 'reset')
    return console.log(`taken away: ${(await resetData(dataDir)).join(', ') || 'nothing'} (${dataDir})`);
  await (verb === 'export' ? exported : imported)(resolve(file), given);
});

async function exported(file, { values, dataDir, env, local }) {
  const passphrase = values['with-secrets'] ? await passphraseFrom(values['passphrase-file'], env) : undefined;
  const erasuresOnly = values['erasures-only'] === true;
  const store = await storeOf(dataDir, env).catch((error) => {
    throw new StartError(error.message);
  });
  try {
    const secrets = await secretsOf({ env, dataDir, local }, passphrase === undefined ? undefined : BACKED_UP);
    const manifest = await exportTo({ file, uri: store.uri, dataDir, local, secrets, passphrase, erasuresOnly, say });
    const [accounts, mib] = [manifest.databases.mining.accounts?.documents ?? 0, manifest.bytes / 1024 ** 2];
    const what = erasuresOnly ? `${hashesIn(manifest)} erased people` : `${accounts} accounts`;
    say(`exported ${what} of ${manifest.instant}, ${manifest.how}: ${file}, ${mib.toFixed(1)} MiB`);
  } finally {
    await store.close();
  }
}

async function imported(file, { values, dataDir, env, local, isRunning: runs }) {
  const backup = await Backup.open(file);
  try {
    await askForAdmins(backup, values.yes);
  } finally {
    await backup.close();
  }
  const isOpened = backup.manifest.secrets && !values['without-secrets'];
  const passphrase = isOpened ? await passphraseFrom(values['passphrase-file'], env) : undefined;
  const erasures = values.erasures && resolve(values.erasures);
  const { 'accept-drift': acceptDrift, unverified } = values;
  const order = { file, erasures, passphrase, acceptDrift, unverified, manifestHash: backup.manifestHash };
  if (!runs) return say(await importStopped(order, { dataDir, env, local, say }));
  // Under `npm run dev` nobody takes orders.
  if (!(await stat(ordersSocket(dataDir)).catch(() => null)))
    throw new StartError('the running system accepts no commands: stop it, then import.');
  say(await giveOrder(dataDir, { verb: 'import', ...order }, say));
}

/** Who may do everything after the import is for the operator to know before. @throws {StartError} when the answer is not yes */
async function askForAdmins(backup, isAgreed) {
  const admins = await adminsIn(backup);
  say(admins.length === 0 ? `${backup.path} holds no admins` : `${backup.path} makes admins of:`);
  for (const { username, discordId } of admins) say(`  ${username} (Discord ${discordId})`);
  if (isAgreed || admins.length === 0) return;
  if (!process.stdin.isTTY)
    throw new StartError('an import that makes admins needs --yes, or a terminal to confirm it.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Import it? (yes/no) ').finally(() => terminal.close());
  if (answer.trim() !== 'yes') throw new StartError('nothing was imported.');
}

function say(line) {
  console.log(line);
}
