import { StartError } from '../starter/problems.mjs';
import { checkBackup, importInto } from './import.mjs';
import { keysAfter } from './keys.mjs';
import { Backup } from './read.mjs';

/**
 * The whole of an import: the file is checked first, and nothing stands still before that.
 * @param {object} order
 * @param {string} order.file @param {string} [order.erasures] a file of `export --erasures-only` @param {string} [order.passphrase] @param {boolean} [order.acceptDrift]
 * @param {boolean} [order.unverified] takes a file that nothing says to be its system's
 * @param {string} [order.manifestHash] of the file that was looked at before: another one in its place is refused
 * @param {object} target as importInto wants it, without keys and erasures, and `env`
 * @param {() => Promise<void>} standStill ends the services, once all is checked
 * @returns {Promise<string>} what was done, a sentence
 * @throws {StartError} with the reason
 */
export async function runImport(order, target, standStill) {
  const { file, erasures, passphrase, acceptDrift, unverified, manifestHash } = order;
  const opened = [];
  const open = async (path) => {
    const backup = await Backup.open(path);
    opened.push(backup);
    return backup;
  };
  try {
    const backup = await open(file);
    if (manifestHash !== undefined && manifestHash !== backup.manifestHash)
      throw new StartError(`${file} has changed since its admins were listed. Start again.`);
    const list = erasures === undefined ? undefined : await open(erasures);
    if (list && !list.manifest.erasuresOnly) throw new StartError(`${erasures} is not a list of erasures.`);
    await list?.verify();
    await checkBackup(backup, target.running, { acceptDrift, say: target.say });
    const keys = await keysAfter(backup, target, passphrase, list, unverified);
    await standStill();
    const { accounts, erased } = await importInto(backup, { ...target, keys, erasures: list, acceptDrift });
    return `imported ${file} of ${backup.manifest.instant}: ${accounts} accounts, ${erased} people erased again; everybody signs in again`;
  } finally {
    for (const backup of opened) await backup.close();
  }
}
