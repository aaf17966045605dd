import { inParallel } from '../../kit/people.ts';
import { untilDone } from '../chaos/load.ts';
import type { Epoch } from './admin.ts';
import { type OfUser, type Session, sumMicro } from './books.ts';
import type { Miner } from './miner.ts';
import { createdAtMs, minedMicro, welcomeMicro, wrongCheckins, wrongTasks } from './oracle.ts';

const ELIGIBLE = ['mining', 'task', 'checkin'];
const RANKED = [...ELIGIBLE, 'commission'];
const REFERRER_BONUS_MICRO = 86_000_000n;
const TEN_MINUTES_MS = 600_000;
const COMPENSATION_MICRO = 5_000_000_000n;
const DAY_MS = 86_400_000;

const bySource = ({ entries }: OfUser, source: string) => entries.filter((entry) => entry.source === source);
const micro = (cord: number) => BigInt(Math.round(cord * 1e6));

interface Shown {
  user: { current_balance: number };
  /** by period; null for an unranked user */
  places: Record<string, { period_earned: number; rank: number } | null>;
}

/** Returns what the API shows each user. */
export async function shown(miners: readonly Miner[]): Promise<Map<string, Shown>> {
  const rows = await inParallel(miners, 8, async (miner) => {
    const user = await untilDone(async () => {
      const { body } = await miner.request('GET', '/auth/me');
      // It is unknown while mining does not respond in time; retried.
      if (body.user.current_balance === null) throw new Error(`the balance of ${miner.username} is unknown`);
      return body.user;
    });
    const places: Shown['places'] = {};
    for (const period of ['all-time', 'monthly', 'weekly', 'daily']) {
      places[period] = (await miner.request('GET', `/leaderboard/me?period=${period}`)).body.entry;
    }
    return [miner.id, { user, places }] as const;
  });
  return new Map(rows);
}

/** Checks every promise of the ledger against the users' actions. Each check returns the errors, one line per user. */
export function ledgerChecks({
  miners,
  books,
  epochs,
}: {
  miners: readonly Miner[];
  books: Map<string, OfUser>;
  epochs: Epoch[];
}): Record<string, string[]> {
  const byId = new Map(miners.map((miner) => [miner.id, miner]));
  const each = (judge: (miner: Miner, own: OfUser, createdMs: number) => string | null) =>
    miners.flatMap((miner) => {
      const own = books.get(miner.id);
      const wrong = own ? judge(miner, own, createdAtMs(miner.here.accountId)) : 'no account';
      return wrong ? [`${miner.username}: ${wrong}`] : [];
    });
  const eligibleMicro = (id: string) => {
    const own = books.get(id);
    return own ? sumMicro(own, ELIGIBLE) : 0n;
  };
  const keys = [...books.values()].flatMap(({ entries }) => entries.map(({ _id }) => _id));
  return {
    'every key exists once': keys.length === new Set(keys).size ? [] : ['a key exists twice'],
    'every balance is the sum of its entries': each((_, own) =>
      differs('balance', own.account.balanceMicro, sumMicro(own)),
    ),
    'every node is paid rate x time, over every epoch and tier birthday': each((_, own, createdMs) =>
      differs('mined', sumMicro(own, ['mining']), minedMicro(own.sessions, createdMs, epochs)),
    ),
    'no two sessions of a user overlap': each((_, { sessions }) => {
      const bad = sessions.findIndex((session, n) => session.startedAtMs < (sessions[n - 1]?.creditedUntilMs ?? 0));
      return bad < 0 ? null : `session ${sessions[bad]?._id} began before the end of the previous one`;
    }),
    'every welcome is paid once, by its formula': each((_, own, createdMs) => {
      const entries = bySource(own, 'welcome');
      const [welcome] = entries;
      if (!welcome || entries.length !== 1) return `${entries.length} welcomes`;
      return differs('welcome', welcome.amountMicro, welcomeMicro(createdMs, welcome.atMs));
    }),
    'every check-in is paid once a day, by its streak': each((_, own) => wrongCheckins(bySource(own, 'checkin'))),
    'every task is paid as often as it may be, by the multiplier': each((_, own, createdMs) =>
      wrongTasks(bySource(own, 'task'), createdMs),
    ),
    'compensation is paid once, the badge claim never without a badge': each((_, own) => {
      const paid = bySource(own, 'compensation');
      if (bySource(own, 'cordclaim').length > 0) return 'a badge claim without a badge';
      return paid.length > 1 || paid.some(({ amountMicro }) => amountMicro !== COMPENSATION_MICRO)
        ? 'compensation'
        : null;
    }),
    'the ledger has every confirmed claim, and no other': each(wrongTally),
    'every commission is floor(10 % of what the friends earned after the link)': each((miner, own) => {
      const friends = miners.filter(({ link }) => link?.referrerId === miner.id);
      const earnedMicro = friends.reduce(
        (sum, friend) => sum + eligibleMicro(friend.id) - (friend.link?.baselineMicro ?? 0n),
        0n,
      );
      return differs('commission', sumMicro(own, ['commission']), earnedMicro / 10n);
    }),
    'every newcomer’s bonus is 10 % of the welcome, once': each((miner, own) => {
      const dueMicro = miner.link ? sumMicro(own, ['welcome']) / 10n : 0n;
      return differs('bonus', sumMicro(own, ['refbonus']), dueMicro) ?? atMost(bySource(own, 'refbonus').length, 1);
    }),
    'every referrer has 86 CORD for each friend who ran ten minutes': each((miner, own) => {
      const friends = miners.filter(({ link }) => link?.referrerId === miner.id);
      const ran = friends.filter(({ id }) => ranMs(books.get(id)?.sessions ?? []) >= TEN_MINUTES_MS);
      return differs('bonuses', sumMicro(own, ['refwelcome']), BigInt(ran.length) * REFERRER_BONUS_MICRO);
    }),
    'no user is above themselves': each((miner) => {
      const seen = new Set<string>();
      for (let at: Miner | undefined = miner; at; at = byId.get(at.link?.referrerId ?? '')) {
        if (seen.has(at.id)) return 'a cycle';
        seen.add(at.id);
      }
      return null;
    }),
  };
}

/** Checks what the API shows against the ledger. */
export function shownChecks({
  miners,
  books,
  nowMs,
  shown: rows,
}: {
  miners: readonly Miner[];
  books: Map<string, OfUser>;
  nowMs: number;
  shown: Map<string, Shown>;
}): Record<string, string[]> {
  const keys = new Map([...books].map(([id, own]) => [id, periodTotals(own, nowMs)]));
  const [balances, sums, ranks]: [string[], string[], string[]] = [[], [], []];
  for (const miner of miners) {
    const [row, own] = [rows.get(miner.id), books.get(miner.id)];
    if (!row || !own) throw new Error(`${miner.username} is missing`);
    const { user, places } = row;
    const balance = differs('shown', micro(user.current_balance), own.account.balanceMicro);
    if (balance) balances.push(`${miner.username}: ${balance}`);
    for (const [period, entry] of Object.entries(places)) {
      const totalMicro = keys.get(miner.id)?.get(period) ?? 0n;
      const shown = entry ? micro(entry.period_earned) : 0n;
      if (shown !== totalMicro) sums.push(`${miner.username} ${period}: ${shown}, ledger ${totalMicro}`);
      if (!entry) continue;
      const others = [...keys.values()].map((totals) => totals.get(period) ?? 0n);
      const above = others.filter((other) => other > totalMicro).length;
      const same = others.filter((other) => other === totalMicro).length;
      if (entry.rank <= above || entry.rank > above + same) {
        ranks.push(`${miner.username} ${period}: rank ${entry.rank}, ${above} above`);
      }
    }
  }
  return {
    'every shown balance is the ledger’s': balances,
    'every leaderboard total is the ledger’s': sums,
    'every rank is true': ranks,
  };
}

/** Computes the rankings' totals from the entries alone. A mining entry lies within the hour before its end. */
function periodTotals(own: OfUser, nowMs: number): Map<string, bigint> {
  const now = new Date(nowMs);
  const dayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const since = {
    daily: dayMs,
    weekly: dayMs - ((now.getUTCDay() + 6) % 7) * DAY_MS,
    monthly: Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1),
  };
  const totals = new Map([['all-time', sumMicro(own)]]);
  for (const [period, fromMs] of Object.entries(since)) {
    const counted = own.entries.filter(
      ({ source, atMs }) => RANKED.includes(source) && (source === 'mining' ? atMs > fromMs : atMs >= fromMs),
    );
    totals.set(
      period,
      counted.reduce((sum, { amountMicro }) => sum + amountMicro, openCommissionSince(own, fromMs)),
    );
  }
  return totals;
}

/** Commission counts from its publication; an open amount covers one hour. */
function openCommissionSince({ account: { openCommission } }: OfUser, fromMs: number): bigint {
  return openCommission && openCommission.sinceMs >= fromMs ? openCommission.amountMicro : 0n;
}

function wrongTally({ done, unsure }: Miner, own: OfUser): string | null {
  const counted = new Map<string, number>();
  for (const { _id, source } of own.entries) {
    const name = source === 'task' ? `task:${_id.split(':')[1]}` : source;
    if (source === 'checkin' || source === 'task' || source === 'compensation')
      counted.set(name, (counted.get(name) ?? 0) + 1);
  }
  for (const name of new Set([...counted.keys(), ...done.keys()])) {
    const [paid = 0, sure = 0, perhaps = 0] = [counted, done, unsure].map((counts) => counts.get(name));
    if (paid < sure || paid > sure + perhaps) return `${name}: ${paid} paid, ${sure} confirmed, ${perhaps} unknown`;
  }
  return null;
}

const ranMs = (sessions: readonly Session[]) => sessions.reduce((sum, { sessionMs }) => sum + Number(sessionMs), 0);
const differs = (what: string, is: bigint, due: bigint) => (is === due ? null : `${what} ${is}, due ${due}`);
const atMost = (count: number, most: number) => (count <= most ? null : `${count} of them`);
