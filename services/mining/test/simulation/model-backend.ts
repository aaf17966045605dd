import { dayKey } from '@cord/contracts/rules/days';
import { LEASE_MS } from '@cord/contracts/rules/timings';
import { NOWHERE, type Place, type Published } from '@cord/kit/nats/states';
import { Violation } from '@cord/kit/testing/simulation/run';
import type { Account, Entry, FinishedDay, OutboxItem } from '../../ledger/account.js';
import type { AccountWrite, Mark } from '../../ledger/account-write.js';
import type { LedgerBounds } from '../../ledger/bounds.js';
import type { EpochTable } from '../../ledger/epochs.js';
import type { Relayed } from '../../ledger/ports.js';
import type { SessionRecord } from '../../ledger/session-record.js';
import { Chains } from './chains.js';
import { countFinishedDays, daysAboveLimit, findDayErrors } from './days.js';
import type { KeptContact } from './kept-contacts.js';
import { Leaves } from './leaves.js';
import type { Modules } from './modules.js';
import { type Contacted, Oracle } from './oracle.js';

interface Doc {
  account: Account;
  dirtyAtMs: number | null;
}

function markAfter(standsMs: number | null, mark: Mark): number | null {
  if (mark.kind === 'anew') return mark.atMs;
  if (mark.kind === 'earliest') return Math.min(standsMs ?? mark.atMs, mark.atMs);
  return standsMs;
}

const nameOf = ({ key, seq }: OutboxItem) => `${key} ${seq}`;
const namesOf = (items: readonly OutboxItem[]) => new Set(items.map(nameOf));

const figuresOf = ({ ranMs, bySource }: FinishedDay) =>
  JSON.stringify([
    ranMs,
    ...Object.entries(bySource)
      .map(([source, micro]) => [source, String(micro)])
      .sort(),
  ]);

/**
 * Store and bus in memory. Each method is one atomic operation with the semantics of `store.ts`. After its effect, each
 * checks every invariant.
 */
export class ModelBackend {
  readonly docs = new Map<string, Doc>();
  readonly entries = new Map<string, Entry>();
  readonly sessions = new Map<string, SessionRecord>();
  /** Finished days, by `<userId>:<dayKey>`. */
  readonly days = new Map<string, FinishedDay>();
  /** The last published state of each user, the only one that the stream keeps. */
  readonly published = new Map<string, { account: Account; place: number }>();
  private lastPlace = 0;
  /** The last published state of each user at its note: it is published again after a loss of the bus. */
  private readonly noted = new Map<string, bigint>();
  readonly nodeEvents = new Map<string, OutboxItem>();
  /** Credits acknowledged to a caller: key to amount, micro-CORD. */
  readonly acknowledged = new Map<string, bigint>();
  protected readonly oracles = new Map<string, Oracle>();
  private readonly chains = new Chains();
  protected readonly leaves: Leaves;
  protected readonly perUser = new Map<string, Entry[]>();

  constructor(
    private readonly rules: Pick<Modules, 'accountWrite' | 'presentLeaf'>,
    private readonly epochs: () => EpochTable,
    private readonly bounds: Pick<LedgerBounds, 'outbox' | 'dayLimits' | 'unwrittenMs'>,
    /** True time, independent of the replicas' clocks, and the maximum lead of a correct clock, ms. */
    private readonly time: { startMs: number; nowMs: () => number; skewMs: number },
  ) {
    this.leaves = new Leaves(rules.presentLeaf);
  }

  read(userId: string): Account | null {
    return this.docs.get(userId)?.account ?? null;
  }

  insert(account: Account): boolean {
    if (this.docs.has(account.userId)) return false;
    this.docs.set(account.userId, { account, dirtyAtMs: account.openedAtMs });
    this.oracles.set(account.userId, new Oracle());
    this.check(account.userId);
    return true;
  }

  /** @param kept the unwritten contact of the writing replica, if any */
  compareAndSet(
    before: Account,
    next: Account,
    nowMs: number,
    announcedSeq: bigint | null,
    kept: KeptContact | null,
  ): boolean {
    const doc = this.doc(before.userId);
    if (doc.account.seq !== before.seq) return false;
    const renewedUntilMs = kept === null ? 0 : kept.atMs + LEASE_MS;
    // The write of a contact alone settles to the time of the contact.
    const isContact = kept !== null && next.node.lastAtMs === Math.max(before.node.lastAtMs, kept.atMs);
    const node = { renewedUntilMs, settledMs: isContact ? kept.atMs : nowMs };
    this.apply(doc, next, nowMs, this.rules.accountWrite(before, next, nowMs, announcedSeq), node);
    // If another replica had already ended the node, nothing of the contact was left to write.
    const stood = before.node.status === 'active' && next.node.status !== 'idle';
    if (stood && next.node.sessionId === kept?.sessionId)
      this.fail(next.node.leaseUntilMs < renewedUntilMs ? ['a write lost the contact before it'] : []);
    this.checkTime(next);
    return true;
  }

  /** Applies the state of `next`, with outbox, slot and mark of the document from `accountWrite`. */
  private apply(doc: Doc, next: Account, nowMs: number, write: AccountWrite, node: Contacted): void {
    if (doc.account.erasedAtMs !== null && next.balanceMicro !== doc.account.balanceMicro) {
      this.fail(['an erased user was credited']);
    }
    const stored = doc.account;
    if (write.announceSeq === null && next.erasedAtMs === null) this.checkAnnounced(stored);
    doc.account = {
      ...next,
      outbox: [...stored.outbox, ...write.newItems],
      announceSeq: write.announceSeq === undefined ? stored.announceSeq : write.announceSeq,
    };
    doc.dirtyAtMs = markAfter(doc.dirtyAtMs, write.mark);
    this.fail(this.oracleOf(next.userId).follow(stored, next, nowMs, this.epochs(), node));
    this.check(next.userId);
  }

  /** Checks an unwritten contact's response: it includes everything mined by then, if its state is the stored one. */
  checkAnswer(answered: Account, nowMs: number): void {
    const { account } = this.doc(answered.userId);
    if (account.seq !== answered.seq) return;
    const dueMicro = this.oracleOf(answered.userId).minedBy(account, nowMs, this.epochs());
    const minedMicro = answered.totals.bySource.mining ?? 0n;
    const unwrittenMs = nowMs - account.node.lastAtMs;
    const leaseMs = answered.node.leaseUntilMs - account.node.leaseUntilMs;
    this.fail([
      ...(minedMicro === dueMicro ? [] : [`responded with ${minedMicro} mined, expected ${dueMicro}`]),
      ...(unwrittenMs < this.bounds.unwrittenMs ? [] : [`nothing was written for ${unwrittenMs} ms`]),
      ...(leaseMs < this.bounds.unwrittenMs ? [] : [`a crash would lose ${leaseMs} ms of a lease`]),
    ]);
  }

  private oracleOf(userId: string): Oracle {
    const oracle = this.oracles.get(userId);
    if (!oracle) throw new Violation('no oracle computes this account');
    return oracle;
  }

  /** Checks that no node mines longer than the elapsed time, and that no account's day is in the future. */
  private checkTime({ userId, node, totals }: Account): void {
    const untilMs = this.time.nowMs() + this.time.skewMs;
    const wrong = [
      ...(node.ranMs > untilMs - this.time.startMs ? [`ran for ${node.ranMs} ms, more than has passed`] : []),
      ...(totals.day.key > dayKey(untilMs) ? [`its day ${totals.day.key} is in the future`] : []),
    ];
    this.fail(wrong.map((what) => `${userId.slice(-2)}: ${what}`));
  }

  findEntry(userId: string, key: string): Entry | null {
    const entry = this.entries.get(key);
    return entry?.userId === userId ? entry : null;
  }

  note(userId: string): void {
    this.noted.set(userId, this.published.get(userId)?.account.seq ?? 0n);
  }

  putEntries(entries: readonly Entry[]): void {
    for (const entry of entries) {
      const there = this.entries.get(entry.key);
      if (!there) {
        this.entries.set(entry.key, entry);
        const own = this.perUser.get(entry.userId) ?? [];
        own.push(entry);
        this.perUser.set(entry.userId, own);
      } else if (there.seq !== entry.seq || there.hash !== entry.hash) {
        this.fail([`key ${entry.key} was written twice, as seq ${there.seq} and ${entry.seq}`]);
      }
      this.check(entry.userId);
    }
  }

  putDays(days: readonly FinishedDay[]): void {
    for (const day of days) {
      const id = `${day.userId}:${day.dayKey}`;
      const there = this.days.get(id);
      if (there && figuresOf(there) !== figuresOf(day)) this.fail([`day ${id} ended twice, with different sums`]);
      this.days.set(id, day);
    }
  }

  removeSessions(userId: string): void {
    for (const { id, userId: of } of this.sessions.values()) if (of === userId) this.sessions.delete(id);
  }

  putSessions(sessions: readonly SessionRecord[]): void {
    for (const session of sessions) {
      const there = this.sessions.get(session.id);
      if (there && there.earnedMicro !== session.earnedMicro) this.fail([`session ${session.id} ended twice`]);
      this.sessions.set(session.id, there ?? session);
    }
  }

  clearOutbox(userId: string, seq: bigint, { items, announcedSeq }: Relayed): boolean {
    const doc = this.doc(userId);
    const { outbox, announceSeq } = doc.account;
    if (doc.account.seq !== seq || (announcedSeq === null && announceSeq !== null)) return false;
    const relayed = namesOf(items);
    if (outbox.some((item) => !relayed.has(nameOf(item)))) return false;
    this.checkAnnounced(doc.account);
    doc.account = { ...doc.account, outbox: [], announceSeq: null };
    doc.dirtyAtMs = null;
    this.check(userId);
    return true;
  }

  pullOutbox(userId: string, { items, announcedSeq }: Relayed): void {
    const doc = this.doc(userId);
    const pulled = namesOf(items);
    const { outbox, announceSeq } = doc.account;
    const announced = announcedSeq !== null && announceSeq !== null && announceSeq <= announcedSeq;
    if (announced) this.checkAnnounced(doc.account);
    doc.account = {
      ...doc.account,
      outbox: outbox.filter((item) => !pulled.has(nameOf(item))),
      announceSeq: announced ? null : announceSeq,
    };
    this.check(userId);
  }

  /** Checks, when the slot is emptied, that the stream holds the requested state or a newer one, and that it is noted. */
  private checkAnnounced({ userId, announceSeq, erasedAtMs }: Account): void {
    const lastSeq = this.published.get(userId)?.account.seq ?? 0n;
    if (announceSeq === null || erasedAtMs !== null) return;
    if (lastSeq >= announceSeq && (this.noted.get(userId) ?? 0n) < announceSeq)
      this.fail([`announcement ${announceSeq} left the outbox, but was not recorded`]);
    if (lastSeq >= announceSeq) return;
    this.fail([`announcement ${announceSeq} was given up, but the stream has ${lastSeq}`]);
  }

  /** Checks, when a cache marks everything up to a seq as relayed, that nothing of it is still stored. */
  checkRelayed(userId: string, seq: bigint): void {
    const { outbox, announceSeq } = this.doc(userId).account;
    const left = outbox.filter((item) => item.seq <= seq).map(nameOf);
    if (announceSeq !== null && announceSeq <= seq) left.push(`announcement ${announceSeq}`);
    this.fail(left.map((what) => `memory has ${what} as relayed`));
  }

  /** Returns the ids of accounts that have been dirty since a time, longest first. */
  findDirty(dirtyBeforeMs: number, most: number): string[] {
    const due = [...this.docs.values()].flatMap(({ account, dirtyAtMs }) =>
      dirtyAtMs !== null && dirtyAtMs <= dirtyBeforeMs ? [{ userId: account.userId, dirtyAtMs }] : [],
    );
    return due
      .sort((a, b) => a.dirtyAtMs - b.dirtyAtMs)
      .slice(0, most)
      .map(({ userId }) => userId);
  }

  /** Returns the position of the user's last balance.changed. */
  lastBalance(userId: string): Place {
    const last = this.published.get(userId);
    return last ? { place: last.place, seq: last.account.seq } : NOWHERE;
  }

  /** Writes balance.changed after the user's message at that position; null when another one is there. */
  putBalance(account: Account, afterPlace: number): Published | null {
    const last = this.published.get(account.userId);
    if ((last?.place ?? 0) !== afterPlace) return null;
    if (last && last.account.seq > account.seq) {
      this.fail([`state ${account.seq} replaced ${last.account.seq} in the stream`]);
    }
    const written = (this.perUser.get(account.userId) ?? []).filter((entry) => entry.seq <= account.seq);
    const openMicro = account.open.amountMicro + account.openCommission.amountMicro;
    const sum = written.reduce((total, entry) => total + entry.amountMicro, openMicro);
    if (sum !== account.balanceMicro) this.fail([`a state was published before its entries: ${sum} written`]);
    this.lastPlace += 1;
    this.published.set(account.userId, { account, place: this.lastPlace });
    return { streamSeq: this.lastPlace, duplicate: false };
  }

  publishNode(item: OutboxItem): void {
    this.nodeEvents.set(item.key, item);
  }

  /** Removes all events of a user from the stream. */
  withdraw(userId: string): void {
    this.published.delete(userId);
    for (const key of this.nodeEventsOf(userId)) this.nodeEvents.delete(key);
  }

  /** Returns whether the stream has any event of a user. */
  hasPublished(userId: string): boolean {
    return this.published.has(userId) || this.nodeEventsOf(userId).length > 0;
  }

  private nodeEventsOf(userId: string): string[] {
    const events = [...this.nodeEvents.values()];
    return events.flatMap((item) => (item.kind === 'node' && item.session.userId === userId ? [item.key] : []));
  }

  /** Checks on an acknowledgement that the credit exists exactly once. */
  acknowledge(userId: string, key: string, amountMicro: bigint): void {
    this.acknowledged.set(key, amountMicro);
    const entry = this.entries.get(key) ?? this.waiting(userId).find((waiting) => waiting.key === key);
    if (entry?.amountMicro !== amountMicro) this.fail([`${key} was acknowledged but not credited`]);
  }

  /** Returns the unwritten entries in the outbox. */
  private waiting(userId: string): Entry[] {
    return this.doc(userId).account.outbox.flatMap((item) =>
      item.kind === 'entry' && !this.entries.has(item.key) ? [item.entry] : [],
    );
  }

  /** Checks every invariant of one account. */
  check(userId: string): void {
    const { account, dirtyAtMs } = this.doc(userId);
    const all = [...(this.perUser.get(userId) ?? []), ...this.waiting(userId)].sort((a, b) => (a.seq < b.seq ? -1 : 1));
    const wrong: string[] = [];
    const keys = new Set<string>();
    let sum = 0n;
    let lastSeq = 0n;
    for (const entry of all) {
      sum += entry.amountMicro;
      if (entry.seq <= lastSeq) wrong.push(`two entries of seq ${entry.seq}`);
      if (keys.has(entry.key)) wrong.push(`key ${entry.key} twice`);
      if (entry.balanceMicro !== sum) wrong.push(`entry ${entry.key} has balance ${entry.balanceMicro}, sum is ${sum}`);
      if (sum < 0n) wrong.push(`entry ${entry.key} takes the balance to ${sum}`);
      keys.add(entry.key);
      lastSeq = entry.seq;
    }
    const openMicro = account.open.amountMicro + account.openCommission.amountMicro;
    if (sum + openMicro !== account.balanceMicro) {
      wrong.push(`balance ${account.balanceMicro}, entries ${sum}, open ${openMicro}`);
    }
    const bySource = Object.values(account.totals.bySource).reduce((total, micro) => total + (micro ?? 0n), 0n);
    if (bySource !== account.balanceMicro)
      wrong.push(`sources sum to ${bySource}, the balance is ${account.balanceMicro}`);
    if (account.totals.allMicro !== account.balanceMicro) wrong.push('the total differs from the balance');
    // A finished day may add three items to any outbox; a relay with a partial account may carry out the day alone.
    const waitingMost = this.bounds.outbox + 3 * countFinishedDays(account, this.days);
    if (account.outbox.length > waitingMost) wrong.push(`the outbox has ${account.outbox.length} items`);
    const dirty = account.outbox.length > 0 || account.announceSeq !== null;
    if (dirty && dirtyAtMs === null) wrong.push('an item waits without a mark');
    wrong.push(
      ...this.chains.findErrors(account, all),
      ...this.leaves.findErrors(account, all),
      ...findDayErrors(account, all, this.days),
      ...daysAboveLimit(all, this.bounds.dayLimits),
    );
    this.fail(wrong.map((what) => `${userId.slice(-2)}: ${what}`));
  }

  private doc(userId: string): Doc {
    const doc = this.docs.get(userId);
    if (!doc) throw new Violation(`no account ${userId}`);
    return doc;
  }

  private fail(wrong: readonly string[]): void {
    if (wrong.length > 0) throw new Violation(wrong.join('; '));
  }
}
