import { bySystem } from '@cord/deploy/store/by-system.mjs';
import type { ModuleStore } from '@cord/deploy/store/folder-store.mjs';
import type { Line } from '@cord/deploy/store/registry.mjs';
import type { Log } from '@cord/kit/log';
import { createLru } from '@cord/kit/lru';
import { OTHER, type ReleaseLabels } from './count-told.js';
import { createCounts, type Visits } from './counts.js';
import { isWatched, judge, WATCH_BOUNDS, type WatchBounds } from './judge.js';

/** Addresses whose visits are remembered; more make room for each other, so that some count once too often. */
const ADDRESSES_MAX = 50_000;

/** Watches over canaries and the first minute of new versions, by what browsers tell of their visits. */
export interface Watch {
  /** Visits that this gateway has heard of, or another one. @returns those that count: of versions that a line names */
  count(visits: readonly Visits[]): Visits[];
  /** Whether an address may count once more for a version; it has counted then. */
  mayCount(address: string, module: string, version: string): boolean;
  /** A release as figures name it: one that no line names is `other`, of its module where that has a line. */
  labelsOf(module: string, version: string): ReleaseLabels;
  /** Looks at the newest lines, and does what their counts call for. */
  look(lines: Readonly<Record<string, Line>>): Promise<void>;
}

export function createWatch(
  store: ModuleStore,
  log: Pick<Log, 'warn' | 'error'>,
  bounds: WatchBounds = WATCH_BOUNDS,
  now: () => number = Date.now,
): Watch {
  let lines: Readonly<Record<string, Line>> = {};
  const counts = createCounts(bounds.windowMs);
  const addresses = createLru<string, { times: number; sinceMs: number }>(ADDRESSES_MAX);
  /** Lines about which nothing more is to be done: so that what cannot be is logged once. */
  const done = new Map<string, number>();

  function isNamed(module: string, version: string): boolean {
    const line = Object.hasOwn(lines, module) ? lines[module] : undefined;
    return line !== undefined && [line.version, line.from, line.canary?.version].includes(version);
  }

  async function act(name: string, line: Line): Promise<void> {
    const verdict = done.get(name) === line.seq ? undefined : judge(name, line, counts, now(), bounds);
    if (!verdict) return;
    done.set(name, line.seq);
    try {
      const said = await bySystem(store, name, line, verdict);
      if (said)
        log.warn({ module: name, version: said.version, why: verdict.why }, `a module is changed: ${said.action}`);
    } catch (err) {
      log.error({ err, module: name, why: verdict.why }, 'a module should be changed, and cannot be');
    }
  }

  return {
    count(visits) {
      const counted = visits.filter(({ module, version }) => isNamed(module, version));
      for (const each of counted) counts.add(each, now());
      return counted;
    },
    mayCount(address, module, version) {
      if (!isNamed(module, version)) return false;
      const key = `${address} ${module} ${version}`;
      const before = addresses.get(key);
      const goesOn = before !== undefined && now() - before.sinceMs < bounds.windowMs;
      const { times, sinceMs } = goesOn ? before : { times: 0, sinceMs: now() };
      if (times >= bounds.perAddress) return false;
      addresses.set(key, { times: times + 1, sinceMs });
      return true;
    },
    labelsOf(module, version) {
      if (isNamed(module, version)) return { module, version };
      return { module: Object.hasOwn(lines, module) ? module : OTHER, version: OTHER };
    },
    async look(newest) {
      lines = newest;
      counts.sweep(now());
      const watched = Object.entries(newest).filter(([, line]) => isWatched(line, now(), bounds));
      await Promise.all(watched.map(([name, line]) => act(name, line)));
    },
  };
}
