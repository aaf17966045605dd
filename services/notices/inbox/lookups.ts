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

/** The user's settings that notices respects. */
export interface Settings {
  /** The choice for each kind. */
  choices: Readonly<Record<string, string | undefined>>;
  /** Whether push is on at all. */
  notifications: boolean;
  quietHours: QuietHours | null;
  /** Null when no language is chosen. */
  locale: string | null;
}

/** Data of other services that notices reads on demand and never stores (services/README.md#events). */
export type Lookups = ReturnType<typeof createLookups>;

export function createLookups(nats: Nats, rules: Pick<Rules, 'book'>) {
  return {
    /** Returns the rule book of a time, as far as known. */
    book: rules.book,
    /** Returns the user's choice for each kind of notice. @throws Problem 503 without a response */
    choicesOf: async (userId: string): Promise<Readonly<Record<string, string | undefined>>> =>
      (await stateOf(nats, reads.userSettings, userId))?.notices ?? {},
    /** Returns UTC days that do not break a streak, and whether today will be one, or check-ins are not possible now. @throws when tasks does not respond */
    async excused() {
      const { days, today } = await nats.request(excusedRpc, {});
      return { days: new Map(days.map(({ dayKey, reason }) => [dayKey, reason])) as ExcusedDays, today };
    },
    /** Returns when a user joined, ms since epoch; null without a user. @throws Problem 503 */
    joinedAtMs: async (userId: string) => (await stateOf(nats, reads.userRegistered, userId))?.joinedAt ?? null,
    /** @throws Problem 503 without a response */
    async settingsOf(userId: string): Promise<Settings> {
      const settings = await stateOf(nats, reads.userSettings, userId);
      const { notices: choices = {}, notifications = true, quietHours = null, locale = LIKE_BROWSER } = settings ?? {};
      return { choices, notifications, quietHours, locale: locale === LIKE_BROWSER ? null : locale };
    },
    /** Returns the name of a user; null for an erased one. @throws Problem 503 */
    async nameOf(userId: string) {
      const states = await Promise.all(
        [reads.userRegistered, reads.userUpdated].map((kind) => stateOf(nats, kind, userId)),
      );
      const known = states.flatMap((state) => (state ? [state] : []));
      const newest = known.sort((a, b) => Number(BigInt(b.seq) - BigInt(a.seq)))[0];
      return newest?.username ?? null;
    },
    /**
     * Returns a user's commission between two times, micro-CORD, from the ledger's entries and the open amount; for about a day at most.
     * @throws when the ledger does not respond: retried later
     */
    async commissionOf(userId: string, fromMs: number, toMs: number) {
      const request = { userId, sources: ['commission' as const], sinceMs: fromMs };
      const { earnings } = await nats.request(earningsRpc, request);
      return earnings.reduce((sum, { at, amountMicro }) => (at < toMs ? sum + BigInt(amountMicro) : sum), 0n);
    },
    /** Returns the rate of a user's running node at its last settlement; null while none runs. @throws Problem 503 */
    async running(userId: string) {
      const node = (await stateOf(nats, reads.balanceChanged, userId))?.node;
      if (node?.status !== 'active' || node.creditedUntil === null) return null;
      return { rateNano: BigInt(node.rateNano), atMs: node.creditedUntil };
    },
    /** Returns the session of a user's running node, and when it pauses; null while none runs. @throws Problem 503 */
    async leaseOf(userId: string) {
      const node = (await stateOf(nats, reads.balanceChanged, userId))?.node;
      if (node?.status !== 'active' || node.sessionId === null || node.leaseUntil === null) return null;
      return { sessionId: node.sessionId, leaseUntilMs: node.leaseUntil };
    },
  };
}
