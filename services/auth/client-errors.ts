import type { BodyOf } from '@cord/contracts/endpoint';
import type { clientErrorEndpoints } from '@cord/contracts/http/client-errors';
import { dayKey } from '@cord/contracts/rules/days';
import { lru } from '@cord/kit/lru';
import { cursor, pageOf } from '@cord/kit/page';
import type { ClientErrorStore, ErrorCursor } from './store/client-errors.js';

type Message = BodyOf<typeof clientErrorEndpoints.report>;

/** New kinds of errors that one reporter may add per UTC day and replica; known kinds are still counted. */
const KINDS_A_DAY = 50;
/** Maximum number of remembered reporters (LRU). */
const REPORTERS_MAX = 20_000;

/** The reporter: a user, or a network address without a sign-in. Never stored, and only remembered for the day. */
export type Reporter = { userId: string } | { address: string };

const PLACE = cursor<ErrorCursor>({ lastAtMs: Number, id: String });

/** Errors in the page reported by browsers, stored for admins; the gateway counts them by release. */
export type ClientErrors = ReturnType<typeof createClientErrors>;

interface ClientErrorsOptions {
  store: ClientErrorStore;
  kindsADay?: number;
}

export function createClientErrors({ store, kindsADay = KINDS_A_DAY }: ClientErrorsOptions) {
  const added = lru<string, { day: string; kinds: number }>(REPORTERS_MAX);

  function mayAdd(reporter: string, nowMs: number): boolean {
    const day = dayKey(nowMs);
    const before = added.get(reporter);
    const kinds = before?.day === day ? before.kinds : 0;
    if (kinds >= kindsADay) return false;
    added.set(reporter, { day, kinds: kinds + 1 });
    return true;
  }

  return {
    async take({ errors }: Message, reporter: Reporter, nowMs: number) {
      const signedIn = 'userId' in reporter;
      for (const { message, stack = null, module, part = null, versions } of errors) {
        const { shell, sdk, module: moduleVersion = null } = versions;
        const error = { message, stack, module: module ?? null, part, shell, sdk, moduleVersion };
        if (await store.count(error, signedIn, nowMs)) continue;
        if (mayAdd(signedIn ? reporter.userId : reporter.address, nowMs)) await store.add(error, signedIn, nowMs);
      }
    },
    /** @returns the errors, latest first, and the next cursor */
    async list(nowMs: number, limit: number, behind: string | undefined) {
      const found = await store.latest(nowMs, limit + 1, PLACE.read(behind));
      const { shown, nextCursor } = pageOf(found, limit, ({ lastAtMs, _id: id }) => PLACE.of({ lastAtMs, id }));
      return { errors: shown, nextCursor };
    },
  };
}
