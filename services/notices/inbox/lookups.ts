import { READS } from '@cord/contracts/events/reads';
import { excusedRpc } from '@cord/contracts/rpc/checkin';
import { earningsRpc } from '@cord/contracts/rpc/ledger';
import { LIKE_BROWSER } from '@cord/contracts/rules/locale';
import type { QuietHours } from '@cord/contracts/rules/notices';
import type { ExcusedDays } from '@cord/contracts/rules/streak';
import type { Nats } from '@cord/kit/nats';
import { stateOf } from '@cord/kit/nats/state-of';
import type { Rules } from '@cord/kit/rules';

const reads = READS.notices;

/** What a user has set that is heeded here. */
export interface Settings {
  /** What was chosen for each kind. */
  choices: Readonly<Record<string, string | undefined>>;
  /** Whether anything is pushed at all. */
  notifications: boolean;
  quietHours: QuietHours | null;
  /** Null while no language is chosen. */
  locale: string | null;
}

/** What others own and notices need now and then: read where it stands, never kept (services/README.md#events). */
export type Lookups = ReturnType<typeof createLookups>;

export function createLookups(nats: Nats, rules: Pick<Rules, 'book'>) {
  return {
    /** The rule book of a time, as far as it is known. */
    book: rules.book,
    /** What a user has chosen for each kind of notice. @throws Problem 503 when there is no answer */
    choicesOf: async (userId: string): Promise<Readonly<Record<string, string | undefined>>> =>
      (await stateOf(nats, reads.userSettings, userId))?.notices ?? {},
    /** UTC days that break no streak, and whether the present one will be among them or check-ins cannot be made now. @throws when tasks does not answer */
    async excused() {
      const { days, today } = await nats.request(excusedRpc, {});
      return { days: new Map(days.map(({ dayKey, reason }) => [dayKey, reason])) as ExcusedDays, today };
    },
    /** When a user joined, ms since epoch; null without a user. @throws Problem 503 */
    joinedAtMs: async (userId: string) => (await stateOf(nats, reads.userRegistered, userId))?.joinedAt ?? null,
    /** @throws Problem 503 when there is no answer */
    async settingsOf(userId: string): Promise<Settings> {
      const settings = await stateOf(nats, reads.userSettings, userId);
      const { notices: choices = {}, notifications = true, quietHours = null, locale = LIKE_BROWSER } = settings ?? {};
      return { choices, notifications, quietHours, locale: locale === LIKE_BROWSER ? null : locale };
    },
    /** The name of a user; null for one who is gone. @throws Problem 503 */
    async nameOf(userId: string) {
      const states = await Promise.all(
        [reads.userRegistered, reads.userUpdated].map((kind) => stateOf(nats, kind, userId)),
      );
      const known = states.flatMap((state) => (state ? [state] : []));
      const newest = known.sort((a, b) => Number(BigInt(b.seq) - BigInt(a.seq)))[0];
      return newest?.username ?? null;
    },
    /**
     * Commission that came to a user from one time to another, micro-CORD, by the ledger's entries and what is open; at most about a day's.
     * @throws when the ledger does not answer: tried again
     */
    async commissionOf(userId: string, fromMs: number, toMs: number) {
      const request = { userId, sources: ['commission' as const], sinceMs: fromMs };
      const { earnings } = await nats.request(earningsRpc, request);
      return earnings.reduce((sum, { at, amountMicro }) => (at < toMs ? sum + BigInt(amountMicro) : sum), 0n);
    },
    /** What a user's running node earned by its last settlement; null while none runs. @throws Problem 503 */
    async running(userId: string) {
      const node = (await stateOf(nats, reads.balanceChanged, userId))?.node;
      if (node?.status !== 'active' || node.creditedUntil === null) return null;
      return { rateNano: BigInt(node.rateNano), atMs: node.creditedUntil };
    },
    /** The session of a user's running node, and when it pauses; null while none runs. @throws Problem 503 */
    async leaseOf(userId: string) {
      const node = (await stateOf(nats, reads.balanceChanged, userId))?.node;
      if (node?.status !== 'active' || node.sessionId === null || node.leaseUntil === null) return null;
      return { sessionId: node.sessionId, leaseUntilMs: node.leaseUntil };
    },
  };
}
