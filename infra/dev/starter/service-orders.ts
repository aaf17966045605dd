import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServiceName } from '@cord/contracts/endpoint';
import { CHECKOUT, releaseFolder } from '../../deploy/services/release.ts';
import { type Author, addLine, filesOf, readJournal, readPointer } from '../../deploy/store/release-line.ts';
import { authorOf, rollBack, rollbackTarget, switchTo, usedBefore } from '../../deploy/store/releases.ts';
import { StartError } from './problems.mjs';
import { asStartError } from './refusal.ts';
import { releaseAt, releaseStore } from './releases.ts';
import { type Fleet, type Release, rollingUpdate } from './rolling-update.ts';

/** The journal line of a service that runs the checkout, of which the store keeps no files. */
const OF_CHECKOUT = { version: CHECKOUT, size: 0, files: {} };
const BEFORE_FIRST: Author = { who: 'npm start', by: 'start' };

/** A command of `npx cord service`. */
export interface ServiceOrder {
  verb: string;
  service: string;
  version?: string;
  who: string;
  why?: string;
  readyMs: number;
  watchMs: number;
}

interface Step {
  before: Release;
  author: Author;
  /** migrates the data for a version and replaces the replicas */
  update: (version: string) => Promise<void>;
}

/**
 * Handles `npx cord service` in a running system. The journal names a release only once it runs and has proved itself,
 * so a system that ends before that starts with the previous one.
 */
export function serviceOrders({
  dataDir,
  releases,
  fleet,
  ownNats,
  migrate,
}: {
  dataDir: string;
  /** the release of each service; updated on changes */
  releases: Map<string, Release>;
  fleet: Fleet;
  /** migrates the data for a release */
  migrate: (service: string, release: Release) => Promise<unknown>;
  /** whether this start made the NATS permissions, from its own contracts */
  ownNats: boolean;
}): (order: ServiceOrder, report: (line: string) => void) => Promise<string> {
  const store = releaseStore(dataDir);
  const verbs = new Map(Object.entries({ deploy, restart, rollback }));

  async function deploy({ service, version = '' }: ServiceOrder, { before, author, update }: Step) {
    if (version === before.version) return `${service} is already at ${version}`;
    const stored = await store.describe(filesOf(service, version)).catch(() => []);
    if (stored.length === 0) throw new StartError(`there is no release ${version} of ${service} in ${store.where}.`);
    if (ownNats) await refuseNewSubjects(service as ServiceName, releaseFolder(dataDir, service, version));
    await update(version);
    const files = Object.fromEntries(stored.map(({ path, sha256 }) => [path, sha256]));
    const size = stored.reduce((sum, { bytes }) => sum + bytes, 0);
    if (!(await readPointer(store, service))) await switchTo(store, service, OF_CHECKOUT, BEFORE_FIRST);
    await switchTo(store, service, { version, size, files }, author);
    return `${service} is at ${version}; it was at ${before.version}`;
  }

  async function restart({ service }: ServiceOrder, { before, update }: Step) {
    await update(before.version);
    return `${service} was restarted, at ${before.version}`;
  }

  async function rollback({ service, version }: ServiceOrder, { before, author, update }: Step) {
    const journal = await readJournal(store, service);
    const target = version ?? usedBefore(journal);
    if (!target) throw new StartError(`${service} has no version before ${before.version}.`);
    if (!journal.some((line) => line.version === target)) throw new StartError(`${service} was never at ${target}.`);
    if (target === before.version) throw new StartError(`${service} is already at ${target}.`);
    if (target !== CHECKOUT) await rollbackTarget(store, service, target);
    await update(target);
    if (target === CHECKOUT) await backToCheckout(service, author);
    else await rollBack(store, service, target, author);
    return `${service} is at ${target}; it was at ${before.version}`;
  }

  function backToCheckout(service: string, author: Author) {
    return addLine(store, service, (line) => {
      return { action: 'rollback', ...OF_CHECKOUT, ...authorOf(author), from: line?.version ?? null, frozen: false };
    });
  }

  return async (order, report) => {
    const { verb, service, who, why = '', readyMs, watchMs } = order;
    const [before, run] = [releases.get(service), verbs.get(verb)];
    if (!run || !before) throw new StartError(`unknown command: ${verb} ${service}.`);
    const update = async (version: string) => {
      const release = releaseAt(dataDir, service, version);
      await migrate(service, release);
      await rollingUpdate({ service, release, before, fleet, bounds: { readyMs, watchMs }, report });
      releases.set(service, release);
    };
    try {
      return await run(order, { before, author: { who, by: 'person', why }, update });
    } catch (error) {
      throw asStartError(error);
    }
  };
}

/**
 * Refuses a release that needs more than its NATS permissions, which come from the contracts of the start.
 * @throws {StartError} naming the subjects
 */
async function refuseNewSubjects(service: ServiceName, folder: string) {
  const { permissionsFor } = await import('@cord/contracts/events/permissions');
  const file = join(folder, 'node_modules/@cord/contracts/dist/events/permissions.js');
  const wanted: ReturnType<typeof permissionsFor> = (await import(pathToFileURL(file).href)).permissionsFor(service);
  const allowed = permissionsFor(service);
  const more = (['publish', 'subscribe'] as const).flatMap((way) =>
    wanted[way].filter((subject) => !allowed[way].includes(subject)),
  );
  if (more.length > 0)
    throw new StartError(
      `${service} also needs the subjects ${more.slice(0, 5).join(', ')}. NATS allows them after npm start with these contracts.`,
    );
}
