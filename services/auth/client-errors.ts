import type { BodyOf } from '@cord/contracts/endpoint';
import type { clientErrorEndpoints } from '@cord/contracts/http/client-errors';
import { createLru } from '@cord/kit/lru';
import type { Metrics } from '@cord/kit/metrics';
import { pageOf } from '@cord/kit/page';
import type { ClientErrorDoc, ClientErrorStore, ErrorCursor } from './store/client-errors.js';

type Message = BodyOf<typeof clientErrorEndpoints.report>;

/** What browsers tell of faults in the page: counted by module and version, kept for admins (interface.md). */
export interface ClientErrors {
  take(message: Message, nowMs: number): Promise<void>;
  /** @returns the latest first, and where the next ones begin */
  list(
    nowMs: number,
    limit: number,
    cursor: string | undefined,
  ): Promise<{ errors: ClientErrorDoc[]; nextCursor: string | null }>;
}

/** The shell's own faults, and what came without a version. */
const SHELL = 'shell';
const UNKNOWN = 'unknown';
/** Pairs of module and version in one metric. Anybody may invent some, so the one unseen for longest makes room. */
const PAIRS_MAX = 200;

export function createClientErrors(deps: {
  store: ClientErrorStore;
  metrics: Metrics;
  pairsMax?: number;
}): ClientErrors {
  const { store, metrics, pairsMax = PAIRS_MAX } = deps;
  const told = bounded('cord_client_errors_total');
  const shown = bounded('cord_client_visits_total');
  const leftOut = metrics.counter('cord_client_errors_dropped_total');

  function bounded(
    name: 'cord_client_errors_total' | 'cord_client_visits_total',
  ): (module: string, version: string, n: number) => void {
    const counter = metrics.counter(name);
    const pairs = createLru<string, { module: string; version: string }>(pairsMax, (labels) => counter.remove(labels));
    return (module, version, n) => {
      const labels = { module, version };
      pairs.set(`${module} ${version}`, labels);
      counter.inc(labels, n);
    };
  }

  return {
    async take({ errors, visits = [] }, nowMs) {
      for (const { module, version, n } of visits) shown(module, version, n);
      for (const { message, stack = null, module, part = null, versions } of errors) {
        const { shell, sdk, module: moduleVersion = null } = versions;
        told(module ?? SHELL, module === undefined ? shell : (moduleVersion ?? UNKNOWN), 1);
        const error = { message, stack, module: module ?? null, part, shell, sdk, moduleVersion };
        if (!(await store.add(error, nowMs))) leftOut.inc();
      }
    },
    async list(nowMs, limit, cursor) {
      const found = await store.latest(nowMs, limit + 1, cursor === undefined ? null : placeOf(cursor));
      const { shown, nextCursor } = pageOf(found, limit, (last) => `${last.lastAtMs}-${last._id}`);
      return { errors: shown, nextCursor };
    },
  };
}

function placeOf(cursor: string): ErrorCursor {
  const at = cursor.indexOf('-');
  return { lastAtMs: Number(cursor.slice(0, at)), id: cursor.slice(at + 1) };
}
