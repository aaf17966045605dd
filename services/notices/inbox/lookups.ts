import { READS } from '@cord/contracts/events/reads';
import { excusedRpc } from '@cord/contracts/rpc/checkin';
import { earningsRpc } from '@cord/contracts/rpc/ledger';
import { LIKE_BROWSER } from '@cord/contracts/rules/locale';
import type { QuietHours } from '@cord/contracts/rules/notices';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
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
export interface Lookups {
  /** What a user has chosen for each kind of notice. @throws Problem 503 when there is no answer */
  choicesOf(userId: string): Promise<Readonly<Record<string, string | undefined>>>;
  /** @throws Problem 503 when there is no answer */
  settingsOf(userId: string): Promise<Settings>;
  /** When a user joined, ms since epoch; null without a user. @throws Problem 503 */
  joinedAtMs(userId: string): Promise<number | null>;
  /** The name of a user; null for one who is gone. @throws Problem 503 */
  nameOf(userId: string): Promise<string | null>;
  /**
   * Commission that came to a user from one time to another, micro-CORD, by the ledger's entries and what is open; at most about a day's.
   * @throws when the ledger does not answer: tried again
   */
  commissionOf(userId: string, fromMs: number, toMs: number): Promise<bigint>;
  /** UTC days that break no streak, and whether the present one will be among them or check-ins cannot be made now. @throws when tasks does not answer */
  excused(): Promise<{ days: ExcusedDays; today: boolean }>;
  /** What a user's running node earned by its last settlement; null while none runs. @throws Problem 503 */
  running(userId: string): Promise<{ rateNano: bigint; atMs: number } | null>;
  /** The session of a user's running node, and when it pauses; null while none runs. @throws Problem 503 */
  leaseOf(userId: string): Promise<{ sessionId: string; leaseUntilMs: number } | null>;
  /** The rule book of a time, as far as it is known. */
  book(atMs: number): RuleBook;
}

export function createLookups(nats: Nats, rules: Pick<Rules, 'book'>): Lookups {
  return {
    book: rules.book,
    choicesOf: async (userId) => (await stateOf(nats, reads.userSettings, userId))?.notices ?? {},
    async excused() {
      const { days, today } = await nats.request(excusedRpc, {});
      return { days: new Map(days.map(({ dayKey, reason }) => [dayKey, reason])) as ExcusedDays, today };
    },
    joinedAtMs: async (userId) => (await stateOf(nats, reads.userRegistered, userId))?.joinedAt ?? null,
    async settingsOf(userId) {
      const settings = await stateOf(nats, reads.userSettings, userId);
      const { notices: choices = {}, notifications = true, quietHours = null, locale = LIKE_BROWSER } = settings ?? {};
      return { choices, notifications, quietHours, locale: locale === LIKE_BROWSER ? null : locale };
    },
    async nameOf(userId) {
      const states = await Promise.all(
        [reads.userRegistered, reads.userUpdated].map((kind) => stateOf(nats, kind, userId)),
      );
      const known = states.flatMap((state) => (state ? [state] : []));
      const newest = known.sort((a, b) => Number(BigInt(b.seq) - BigInt(a.seq)))[0];
      return newest?.username ?? null;
    },
    async commissionOf(userId, fromMs, toMs) {
      const request = { userId, sources: ['commission' as const], sinceMs: fromMs };
      const { earnings } = await nats.request(earningsRpc, request);
      return earnings.reduce((sum, { at, amountMicro }) => (at < toMs ? sum + BigInt(amountMicro) : sum), 0n);
    },
    async running(userId) {
      const node = (await stateOf(nats, reads.balanceChanged, userId))?.node;
      if (node?.status !== 'active' || node.creditedUntil === null) return null;
      return { rateNano: BigInt(node.rateNano), atMs: node.creditedUntil };
    },
    async leaseOf(userId) {
      const node = (await stateOf(nats, reads.balanceChanged, userId))?.node;
      if (node?.status !== 'active' || node.sessionId === null || node.leaseUntil === null) return null;
      return { sessionId: node.sessionId, leaseUntilMs: node.leaseUntil };
    },
  };
}
