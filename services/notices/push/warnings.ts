import { PAUSE_WARNING_MS } from '@cord/contracts/rules/notices';
import { type Due, inBatches } from '@cord/kit/batches';
import type { Clock } from '@cord/kit/clock';
import type { PeriodicWork } from '@cord/kit/periodic';
import type { Lookups } from '../inbox/lookups.js';
import type { Reader } from '../inbox/notice-text.js';
import type { People, PersonDoc } from '../inbox/people.js';
import { PUSHING, WARNING_WAIT_MS_MAX } from '../pace.js';
import type { Delivery, Push } from './deliver.js';
import { extendTexts, pausingNotice } from './notice-text.js';
import { aboutOf } from './notices.js';
import type { Subscriptions } from './subscriptions.js';

export type Warnings = ReturnType<typeof createWarnings>;

/**
 * The warning one hour before a node pauses: pushed, and in no list. Contacts extend a lease without an event each, so
 * the lease is looked up from its owner an hour before the earliest pause: then either a warning or a later check is
 * due. At least once, like notices (notices.ts).
 */
export function createWarnings(deps: {
  people: People;
  subscriptions: Pick<Subscriptions, 'hasAny'>;
  delivery: Delivery;
  lookups: Pick<Lookups, 'leaseOf'>;
  clock: Pick<Clock, 'now'>;
}) {
  const { people, subscriptions, delivery, lookups, clock } = deps;

  /** @param earlier whether this time replaces a pending later one; a pending earlier one always stays */
  async function scheduleCheck(userId: string, atMs: number, earlier: boolean): Promise<void> {
    await people.docs.update(userId, ({ warnAtMs: set, ...person }) => {
      const isToCome = set !== undefined && set > clock.now();
      const holds = isToCome && (!earlier || set <= atMs);
      // A due one may be in progress with the former state: a new value marks it as changed.
      const anew = set === undefined || isToCome ? atMs : Math.max(atMs, set + 1);
      return person.erased || holds ? null : { ...person, warnAtMs: anew };
    });
  }

  const due: Due<PersonDoc> = {
    read: (limit, takes) => people.dueForWarning(clock.now(), limit, takes),
    each: look,
  };

  async function look(person: PersonDoc): Promise<void> {
    const { _id: userId, warnAtMs, warned } = person;
    const next = await nextOf(userId, warned);
    await people.docs.update(userId, (now) => {
      // Another call has set a new time meanwhile: that one stays.
      if (now.erased || now.warnAtMs !== warnAtMs) return null;
      const { warnAtMs: _done, ...rest } = now;
      return { ...rest, ...next };
    });
  }

  /** Returns the stored fields after a check: none while no node runs, or without a device. */
  async function nextOf(userId: string, warned: PersonDoc['warned']): Promise<Pick<PersonDoc, 'warnAtMs' | 'warned'>> {
    const lease = (await subscriptions.hasAny(userId)) ? await lookups.leaseOf(userId) : null;
    if (lease === null || lease.leaseUntilMs <= clock.now()) return {};
    const { sessionId, leaseUntilMs } = lease;
    const nowMs = clock.now();
    const warnAtMs = leaseUntilMs - PAUSE_WARNING_MS;
    // Limited to the maximum wait, else the check would be due at once.
    if (warnAtMs > nowMs) return { warnAtMs: Math.min(warnAtMs, nowMs + WARNING_WAIT_MS_MAX) };
    const of = `${sessionId}.${leaseUntilMs}`;
    // An extension gives at least seven more hours: it is enough to check again at the time of this pause.
    const done = { warnAtMs: leaseUntilMs, warned: { of } };
    const isSame = warned?.of === of;
    if (isSame && warned.tries === undefined) return done;
    const before = { to: (isSame && warned.to) || [], tries: (isSame && warned.tries) || 0 };
    const progress = await delivery.deliver(userId, warningOf(userId, sessionId, leaseUntilMs), before);
    if (progress === null) return done;
    return { warnAtMs: progress.atMs, warned: { of, tries: progress.tries, to: [...progress.to] } };
  }

  return {
    /** Schedules a check one hour before the earliest pause of a running node. */
    async nodeRuns(userId: string, leaseUntilMs: number) {
      if (leaseUntilMs <= clock.now() || !(await subscriptions.hasAny(userId))) return;
      await scheduleCheck(userId, leaseUntilMs - PAUSE_WARNING_MS, false);
    },
    /** Schedules a check of a user's node soon, after a new device. */
    lookSoon: (userId: string) => scheduleCheck(userId, clock.now(), true),
    work: {
      name: 'pauses to warn of',
      ...PUSHING.work,
      run: (turn) => inBatches(turn, PUSHING.batch, () => due),
    } satisfies PeriodicWork,
  };
}

function warningOf(userId: string, sessionId: string, pausesAtMs: number): Push {
  return {
    kind: 'node-paused',
    untilMs: pausesAtMs,
    async message(reader: Reader) {
      const extend = { path: `/api/users/${userId}/mining/${sessionId}/save`, ...extendTexts(pausesAtMs, reader) };
      const about = aboutOf('node-paused', sessionId);
      return { ...pausingNotice(pausesAtMs, reader), tab: 'node', about, atMs: reader.nowMs, extend };
    },
  };
}
