import type { BodyOf } from '@cord/contracts/endpoint';
import type { clientErrorEndpoints } from '@cord/contracts/http/client-errors';
import type { Metrics } from '@cord/kit/metrics';
import { pageOf } from '@cord/kit/page';
import type { ClientErrorDoc, ClientErrorStore, ErrorCursor } from './store/client-errors.js';

type Message = BodyOf<typeof clientErrorEndpoints.report>;

/** What browsers tell of faults in the page, kept for admins (interface.md); the gateway counts it by release. */
export interface ClientErrors {
  take(message: Message, nowMs: number): Promise<void>;
  /** @returns the latest first, and where the next ones begin */
  list(
    nowMs: number,
    limit: number,
    cursor: string | undefined,
  ): Promise<{ errors: ClientErrorDoc[]; nextCursor: string | null }>;
}

export function createClientErrors({ store, metrics }: { store: ClientErrorStore; metrics: Metrics }): ClientErrors {
  const leftOut = metrics.counter('cord_client_errors_dropped_total');

  return {
    async take({ errors }, nowMs) {
      for (const { message, stack = null, module, part = null, versions } of errors) {
        const { shell, sdk, module: moduleVersion = null } = versions;
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
