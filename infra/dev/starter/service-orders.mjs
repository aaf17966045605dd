import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CHECKOUT, releaseFolder } from '../../deploy/services/release.ts';
import { Refused } from '../../deploy/store/refused.ts';
import { addLine, filesOf, readJournal, readPointer } from '../../deploy/store/release-line.ts';
import { authorOf, rollBack, rollbackTarget, switchTo, usedBefore } from '../../deploy/store/releases.ts';
import { StartError } from './problems.mjs';
import { releaseAt, releaseStore } from './releases.mjs';
import { roll } from './roll.mjs';

/** The line of a journal by which a service runs the checkout: nothing is stored of it. */
const OF_CHECKOUT = { version: CHECKOUT, size: 0, files: {} };
const BEFORE_FIRST = { who: 'npm start', by: 'start' };

/**
 * What `npx cord service` has a running system do. The journal says what runs only once it does, and has proved itself: a system that
 * is ended in between starts with what it had.
 * @param {object} given
 * @param {string} given.dataDir
 * @param {Map<string, import('./roll.mjs').Release>} given.releases what each service runs; kept as it changes
 * @param {import('./roll.mjs').Fleet} given.fleet
 * @param {(service: string, release: import('./roll.mjs').Release) => Promise<unknown>} given.migrate brings the data to what a release needs
 * @param {boolean} given.ownNats whose table was made at the start, from the contracts of the start
 * @returns {(order: {verb: string, service: string, version?: string, who: string, why?: string, readyMs: number, watchMs: number},
 *   say: (line: string) => void) => Promise<string>}
 */
export function serviceOrders({ dataDir, releases, fleet, ownNats, migrate }) {
  const store = releaseStore(dataDir);
  const verbs = { deploy, restart, rollback };

  async function deploy({ service, version }, { before, word, rolled }) {
    if (version === before.version) return `${service} is at ${version} already`;
    const stored = await store.describe(filesOf(service, version)).catch(() => []);
    if (stored.length === 0) throw new StartError(`there is no release ${version} of ${service} in ${store.where}.`);
    if (ownNats) await refuseNewSubjects(service, releaseFolder(dataDir, service, version));
    await rolled(version);
    const files = Object.fromEntries(stored.map(({ path, sha256 }) => [path, sha256]));
    const size = stored.reduce((sum, { bytes }) => sum + bytes, 0);
    if (!(await readPointer(store, service))) await switchTo(store, service, OF_CHECKOUT, BEFORE_FIRST);
    await switchTo(store, service, { version, size, files }, word);
    return `${service} is at ${version}; it was at ${before.version}`;
  }

  async function restart({ service }, { before, rolled }) {
    await rolled(before.version);
    return `${service} runs anew, at ${before.version}`;
  }

  async function rollback({ service, version }, { before, word, rolled }) {
    const journal = await readJournal(store, service);
    const target = version ?? usedBefore(journal);
    if (!target) throw new StartError(`${service} has no version before ${before.version}.`);
    if (!journal.some((line) => line.version === target)) throw new StartError(`${service} was never at ${target}.`);
    if (target === before.version) throw new StartError(`${service} is at ${target} already.`);
    if (target !== CHECKOUT) await rollbackTarget(store, service, target);
    await rolled(target);
    if (target === CHECKOUT) await backToCheckout(service, word);
    else await rollBack(store, service, target, word);
    return `${service} is at ${target}; it was at ${before.version}`;
  }

  function backToCheckout(service, word) {
    return addLine(store, service, (line) => {
      return { action: 'rollback', ...OF_CHECKOUT, ...authorOf(word), from: line?.version ?? null, frozen: false };
    });
  }

  return async (order, say) => {
    const { verb, service, who, why = '', readyMs, watchMs } = order;
    const before = releases.get(service);
    if (!Object.hasOwn(verbs, verb) || !before) throw new StartError(`unknown command: ${verb} ${service}.`);
    const rolled = async (version) => {
      const release = releaseAt(dataDir, service, version);
      await migrate(service, release);
      await roll({ service, release, before, fleet, bounds: { readyMs, watchMs }, say });
      releases.set(service, release);
    };
    try {
      return await verbs[verb](order, { before, word: { who, by: 'person', why }, rolled });
    } catch (error) {
      throw error instanceof Refused ? new StartError(`${error.message}.`) : error;
    }
  };
}

/**
 * NATS lets a service say and hear what the contracts of the start allow, and never more: a release that needs more would fail at it.
 * @throws {StartError} naming the subjects
 */
async function refuseNewSubjects(service, folder) {
  const { permissionsFor } = await import('@cord/contracts/events/permissions');
  const file = join(folder, 'node_modules/@cord/contracts/dist/events/permissions.js');
  const wanted = (await import(pathToFileURL(file).href)).permissionsFor(service);
  const allowed = permissionsFor(service);
  const more = ['publish', 'subscribe'].flatMap((way) => wanted[way].filter((each) => !allowed[way].includes(each)));
  if (more.length > 0)
    throw new StartError(
      `${service} also needs the subjects ${more.slice(0, 5).join(', ')}. NATS allows them once the system is started with these contracts.`,
    );
}
