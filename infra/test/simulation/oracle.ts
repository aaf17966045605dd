import { COMMISSION_SOURCES } from '@cord/contracts/events/balance';
import { readLedgerKey } from '@cord/contracts/rules/ledger-keys';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { isCredit, type OutboxFields } from '@cord/kit/outbox/items';
import type { Account } from '../../../services/mining/ledger/account.js';
import type { Member } from '../../../services/referrals/member.js';
import type { HolderDocument } from '../../../services/rewards/store.js';
import type { CheckinDay } from '../../../services/tasks/domain/streak.js';
import type { RecordDocument, StreakDocument } from '../../../services/tasks/store.js';
import { SET_MS_MAX } from './kit-of.js';
import type { World } from './world.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** A friend's node time after which the referrer is due 86 CORD, ms. */
const BONUS_AFTER_MS = 10 * MINUTE_MS;
/** Reasons for the final refusal of a code. */
const TRUE_REFUSALS = new Set(['own-referral-code', 'referral-cycle', 'already-referred', 'referral-code-unknown']);

/** A response to a claim. */
export interface Booked {
  readonly userId: string;
  /** Key of the ledger's entry; null when only the record has it. */
  readonly key: string | null;
  readonly micro: bigint;
  readonly checkIn: CheckinDay | null;
}

/** Our own books of responses, and whether claims are off. */
export interface Ledgerbook {
  readonly booked: Booked[];
  note(made: Booked): void;
  areClaimsOff(): boolean;
}

export function openBook(world: World): Ledgerbook {
  const booked: Booked[] = [];
  return {
    booked,
    note: (made) => void booked.push(made),
    areClaimsOff: () => world.spans.at(-1)?.toMs === null,
  };
}

/** A claim in its record. */
interface Claimed {
  readonly userId: string;
  readonly key: string;
  readonly micro: bigint | null;
}

/**
 * Returns all violations.
 * @param atRest whether everything in transit has arrived
 */
export function wrongs(world: World, { booked }: Ledgerbook, atRest: boolean): string[] {
  return [
    ...wrongClaims(world, atRest),
    ...booked.flatMap((made) => wrongAnswer(world, made)),
    ...wrongStreaks(world),
    ...wrongEntries(world),
    ...cycles(world),
    ...(atRest ? [...wrongCommissions(world), ...wrongBonuses(world), ...wrongCodes(world)] : []),
  ];
}

const docsOf = <D>(world: World, service: string, name: string): D[] =>
  [...world.store.documents(service, name).values()] as unknown as D[];
const accountOf = (world: World, userId: string): Account | null => world.backend.read(userId);
const isErased = (world: World, userId: string): boolean => world.people.some((one) => one.id === userId && one.erased);

/** Checks that every claim has an entry or a pending or parked credit; at rest exactly the entry. */
function wrongClaims(world: World, atRest: boolean): string[] {
  const wrong: string[] = [];
  const owing = new Map<string, string>();
  for (const [service, name] of OWING)
    for (const { outbox = [], parked = [] } of docsOf<OutboxFields>(world, service, name)) {
      for (const { key } of outbox.filter(isCredit)) owing.set(key, 'pending');
      for (const { key, refusal } of parked) owing.set(key, `parked as ${refusal}`);
    }
  for (const { userId, key, micro } of claimsOf(world)) {
    const entry = entryOf(world, userId, key);
    if (isErased(world, userId)) continue;
    if (!entry && !owing.has(key)) wrong.push(`${key} was claimed, but is neither owed nor paid`);
    if (entry && micro !== null && entry.amountMicro !== micro)
      wrong.push(`${key} paid ${entry.amountMicro}, expected ${micro}`);
    if (atRest && !entry) wrong.push(`${key} was claimed, but stays ${owing.get(key)}`);
  }
  if (atRest) for (const [key, what] of owing) wrong.push(`${key} stays ${what}`);
  return wrong;
}

const OWING = [
  ['tasks', 'records'],
  ['tasks', 'streaks'],
  ['rewards', 'holders'],
  ['referrals', 'members'],
] as const;

function claimsOf(world: World): Claimed[] {
  const ofTasks = docsOf<RecordDocument>(world, 'tasks', 'records').flatMap(({ _id, claims = {} }) =>
    Object.entries(claims).flatMap(([taskId, { count, rewardMicro }]) => {
      if (taskId !== 'mine-1-hour') return [{ userId: _id, key: `task:${taskId}:${_id}:once`, micro: rewardMicro }];
      return Array.from({ length: count }, (_, n) => ({
        ...{ userId: _id, key: `task:${taskId}:${_id}:${n + 1}` },
        micro: n + 1 === count ? rewardMicro : null,
      }));
    }),
  );
  const ofDays = docsOf<StreakDocument>(world, 'tasks', 'streaks').flatMap(({ _id, days = [] }) =>
    days.map(({ dayKey, rewardMicro, bonusMicro }) => ({
      ...{ userId: _id, key: `checkin:${_id}:${dayKey}` },
      micro: rewardMicro + bonusMicro,
    })),
  );
  const ofHolders = docsOf<HolderDocument>(world, 'rewards', 'holders').flatMap(({ _id, compensation }) =>
    compensation ? [{ userId: _id, key: `compensation:${_id}`, micro: compensation.amountMicro }] : [],
  );
  return [...ofTasks, ...ofDays, ...ofHolders];
}

function entryOf(world: World, userId: string, key: string) {
  const waiting = accountOf(world, userId)?.outbox.find((item) => item.kind === 'entry' && item.key === key);
  return world.backend.findEntry(userId, key) ?? (waiting?.kind === 'entry' ? waiting.entry : null);
}

/** Checks that the record matches the response. */
function wrongAnswer(world: World, { userId, key, micro }: Booked): string[] {
  if (key === null || isErased(world, userId)) return [];
  const known = claimsOf(world).find((claim) => claim.key === key);
  if (!known) return [`${key} was acknowledged, but no record has it`];
  return known.micro === micro ? [] : [`${key} was acknowledged as ${micro}, but the record has ${known.micro}`];
}

/** Checks the streak and reward of each check-in against its days, the switch of claims and outages. */
function wrongStreaks(world: World): string[] {
  return docsOf<StreakDocument>(world, 'tasks', 'streaks').flatMap(({ _id, days = [] }) => {
    let before: { dayMs: number; length: number } | null = null;
    return [...days].reverse().flatMap(({ dayKey, streak, rewardMicro, bonusMicro }) => {
      const dayMs = Date.parse(`${dayKey}T00:00:00Z`);
      const length: number = before && isKept(world, before.dayMs, dayMs) ? before.length + 1 : 1;
      before = { dayMs, length };
      const wrong =
        streak !== length ? [`${_id.slice(-1)}: ${dayKey} is day ${streak} of the streak, expected ${length}`] : [];
      const paid = `${rewardMicro} + ${bonusMicro}`;
      const due = booksOfDay(world, dayMs).map(
        ({ checkinMicro, streakStepMicro, streakMostMicro }) =>
          `${checkinMicro} + ${Math.min(streakStepMicro * length, streakMostMicro)}`,
      );
      return due.includes(paid)
        ? wrong
        : [...wrong, `${_id.slice(-1)}: ${dayKey} pays ${paid}, expected ${due.join(' or ')}`];
    });
  });
}

/** Rule books of a UTC day in the ledger's table; clocks may be off by SET_MS_MAX. */
function booksOfDay(world: World, dayMs: number): RuleBook[] {
  const { books } = world.epochs();
  const [fromMs, toMs] = [dayMs - SET_MS_MAX, dayMs + DAY_MS + SET_MS_MAX];
  return books.filter((book, n) => book.fromMs < toMs && (books[n + 1]?.fromMs ?? toMs) > fromMs);
}

/** Whether on every day between two check-ins claims were off, or check-ins failed, for long; counted by the minute. */
function isKept({ spans, outages, nowMs }: World, fromMs: number, toMs: number): boolean {
  const isOff = (ms: number) => [...spans, ...outages].some((span) => span.fromMs <= ms && ms < (span.toMs ?? nowMs));
  for (let dayMs = fromMs + DAY_MS; dayMs < toMs; dayMs += DAY_MS) {
    let [off, late] = [0, 0];
    for (let ms = dayMs; ms < dayMs + DAY_MS; ms += MINUTE_MS) {
      if (!isOff(ms)) continue;
      off += 1;
      if (ms >= dayMs + 21 * 60 * MINUTE_MS) late += 1;
    }
    if (off <= 12 * 60 && late < 30) return false;
  }
  return true;
}

/** Checks that every key is valid and names its account, and that no node ran longer than its account exists. */
function wrongEntries(world: World): string[] {
  const keys = [...world.backend.entries.values()].flatMap(({ key, userId, source }) => {
    const read = readLedgerKey(key);
    return read?.userId === userId && read.source === source ? [] : [`${key} is not a key of ${source} of this user`];
  });
  const times = [...world.backend.docs.values()].flatMap(({ account }) => {
    const elapsedMs = world.nowMs - account.openedAtMs + MINUTE_MS + SET_MS_MAX;
    return account.node.ranMs <= elapsedMs ? [] : [`a node ran ${account.node.ranMs} ms in ${elapsedMs}`];
  });
  return [...keys, ...times];
}

const membersOf = (world: World) => docsOf<Member>(world, 'referrals', 'members');

function cycles(world: World): string[] {
  const above = new Map(membersOf(world).map(({ _id, referredBy }) => [_id, referredBy?.userId]));
  return [...above.keys()].flatMap((start) => {
    let at = above.get(start);
    for (let steps = 0; at !== undefined && steps <= above.size; steps += 1) {
      if (at === start) return [`${start.slice(-1)} is above itself`];
      at = above.get(at);
    }
    return [];
  });
}

/** Checks that commission is a tenth of friends' earnings since the link, by the friends' accounts, also erased ones. */
function wrongCommissions(world: World): string[] {
  const members = membersOf(world);
  return world.people.flatMap(({ id, erased }) => {
    const account = accountOf(world, id);
    if (!account || erased) return [];
    const earned = members
      .filter(({ referredBy }) => referredBy?.userId === id)
      .reduce((sum, friend) => {
        // A friend held or refused at the erasure stays so.
        if (friend.erased && (friend.friend?.gone === 'held' || friend.friend?.refused))
          return sum + friend.friend.countedMicro;
        const bySource = accountOf(world, friend._id)?.totals.bySource ?? {};
        const eligible = COMMISSION_SOURCES.reduce((total, source) => total + (bySource[source] ?? 0n), 0n);
        const since = eligible - (friend.friend?.baselineMicro ?? eligible);
        // A link by a fast clock may have settled more than the account ever earns.
        return since > 0n ? sum + since : sum;
      }, 0n);
    const paid = account.totals.bySource.commission ?? 0n;
    if (paid === earned / 10n) return [];
    const friends = members
      .filter(({ referredBy }) => referredBy?.userId === id)
      .map(
        ({ _id, friend, erased: isGone }) =>
          `${_id.slice(-1)}${isGone ? ' erased' : ''} counted ${friend?.countedMicro}`,
      );
    return [`${id.slice(-1)}: commission is ${paid}, friends earned ${earned} (${friends.join(', ')})`];
  });
}

/** Checks 86 CORD for each friend whose node ran ten minutes, once the waiting time is over. */
export function wrongBonuses(world: World): string[] {
  return membersOf(world).flatMap(({ _id, referredBy, erased }) => {
    if (!referredBy || erased || isErased(world, referredBy.userId)) return [];
    const isDue = (accountOf(world, _id)?.node.ranMs ?? 0) >= BONUS_AFTER_MS;
    const isPaid = entryOf(world, referredBy.userId, `refwelcome:${referredBy.userId}:${_id}`) !== null;
    return isDue === isPaid
      ? []
      : [`86 CORD for ${_id.slice(-1)} are ${isDue ? 'due' : 'not due'} and ${isPaid ? 'paid' : 'not paid'}`];
  });
}

/** Checks that each newcomer's code is processed, or refused for a valid reason. */
function wrongCodes(world: World): string[] {
  return membersOf(world).flatMap(({ _id, pendingCode, erased }) => {
    if (!pendingCode || erased || pendingCode.status === 'credited') return [];
    if (pendingCode.status === 'refused' && TRUE_REFUSALS.has(pendingCode.why ?? '')) return [];
    return [`the code of ${_id.slice(-1)} is ${pendingCode.status}: ${pendingCode.why ?? 'never decided'}`];
  });
}
