import { setTimeout as sleep } from 'node:timers/promises';
import { Books, sumMicro } from '../../bench/life/books.mjs';
import { createdAtMs, minedMicro } from '../../bench/life/oracle.mjs';
import { advance } from '../../bench/system/clock.mjs';
import { call, signInAgain } from '../../bench/system/people.mjs';
import { ERASED, FRIENDS, STILL_MINING } from './people.mjs';

/** Every check gives back what is wrong, one line each; amounts are bigint micro-CORD. */

const REST_MS_MAX = 120_000;
const ELIGIBLE = ['mining', 'task', 'checkin'];
/** Not due, not promised and not pending any more: what the release before kept of a payment (services/contracts/rules/README.md#commission-and-referral-bonuses). */
const PAYMENT_FIELDS = ['promised', 'parked', 'dueAt'];
const REFERRER_BONUS_MICRO = 86_000_000n;

/** The people of the release with the tokens that it gave them. */
export function signedIn(people, origin) {
  return Object.fromEntries(
    Object.entries(people).map(([name, one]) => [name, { ...one, origin, name, gone: name === ERASED }]),
  );
}

export async function signIns(people) {
  return each(people, async (person) => {
    const answer = await call(person, 'GET', '/auth/me').catch((error) => error);
    if (person.gone) return answer.status === 401 ? null : `still there: ${JSON.stringify(answer)}`;
    return answer.user?.id === person.id ? null : `signed out: ${answer.message ?? JSON.stringify(answer)}`;
  });
}

export async function samePeople(people) {
  return each(people, async ({ origin, accountId, id, gone }) => {
    if (gone) return null;
    const again = await signInAgain(origin, accountId);
    return again.id === id && !again.isNewUser ? null : `is ${again.id}, was ${id}`;
  });
}

/** Until nothing is promised, due or waiting any more, twice in a row. */
export async function comeToRest(system) {
  const books = await Books.open(system);
  try {
    const endMs = performance.now() + REST_MS_MAX;
    for (let still = 0; still < 2; ) {
      await advance(system.origin, '61s');
      await sleep(300);
      still = (await books.waiting()) === 0 ? still + 1 : 0;
      if (performance.now() > endMs) return;
    }
  } finally {
    await books.close();
  }
}

export async function ledgerAndMembers(books) {
  const members = await books.client.db('cord_referrals').collection('members').find().toArray();
  const { epochs } = await books.client.db('cord_rewards').collection('epochs').findOne({ _id: 'table' });
  return { byUser: await books.read(), members, epochs, ofRelease: await documentsOfRelease(books.client) };
}

/** How much there is in the form of release 1.0.0 that a migration takes over or away. */
async function documentsOfRelease(client) {
  const named = { 'parts.referral.state.referredBy.username': { $exists: true } };
  return {
    'facts with the name of a referrer': await client.db('cord_auth').collection('facts').countDocuments(named),
    'profiles of the leaderboard': (await client.db('cord_leaderboard').listCollections({ name: 'profiles' }).toArray())
      .length,
  };
}

/** The data was of the release's form before, and is not after. */
export function migrated(before, taken) {
  return Object.entries(before.ofRelease).flatMap(([what, count]) => [
    ...(count > 0 ? [] : [`there were no ${what}: nothing was migrated`]),
    ...(taken.ofRelease[what] === 0 ? [] : [`${taken.ofRelease[what]} ${what} are left`]),
  ]);
}

/** All that the checks look at of a running system. */
export async function booksOf(system) {
  const books = await Books.open(system);
  try {
    return {
      ...(await ledgerAndMembers(books)),
      audited: await books.audit(),
      deadLetters: await books.deadLetters(),
    };
  } finally {
    await books.close();
  }
}

export function drift(audited, deadLetters = '0 dead letters') {
  return [
    ...(/drift_micro=0 /.test(audited) ? [] : [audited]),
    ...(/^0 dead letters$/m.test(deadLetters) ? [] : [deadLetters]),
  ];
}

export function entriesKept(before, after) {
  return [...before.byUser].flatMap(([userId, { entries }]) => {
    const present = new Map((after.byUser.get(userId)?.entries ?? []).map((entry) => [entry._id, entry]));
    return entries
      .filter((entry) => told(entry) !== told(present.get(entry._id)))
      .map((entry) => `${entry._id} was ${told(entry)}, is ${told(present.get(entry._id))}`);
  });
}

/** Without commission, of which some was due; a node that ran on may have been settled meanwhile. */
export function balances(before, after, people) {
  return each(people, ({ name, id }) => {
    const [was, is] = [before, after].map((books) => sumMicro(books.byUser.get(id)) - commissionOf(books, id));
    const kept = STILL_MINING.includes(name) ? is >= was : is === was;
    return kept ? null : `${was} before, ${is} after`;
  });
}

/** Once every node is stopped: floor(rate x time) over all sessions, those included that began in the release before. */
export function mined(books, people) {
  const epochs = books.epochs.map(({ multiplierHundredths, startAt, endAt }) => ({
    rewardsMultiplier: Number(multiplierHundredths) / 100,
    startDate: new Date(Number(startAt)).toISOString(),
    endDate: new Date(Number(endAt)).toISOString(),
  }));
  return each(people, ({ id, accountId, gone }) => {
    if (gone) return null;
    const own = books.byUser.get(id);
    const [due, is] = [minedMicro(own.sessions, createdAtMs(accountId), epochs), sumMicro(own, ['mining'])];
    return due === is ? null : `mined ${is}, due ${due}`;
  });
}

/** What a referrer is shown: as many friends as came, and all that they brought. */
export async function shown(books, people) {
  return each(people, async ({ id, name, gone }) => {
    if (gone || !FRIENDS[name]) return null;
    const stats = await call(people[name], 'GET', `/referrals/${id}/stats`);
    const friends = FRIENDS[name].length;
    const micro = commissionOf(books, id) + REFERRER_BONUS_MICRO * BigInt(friends);
    const [told, due] = [BigInt(Math.round(stats.totalEarnings * 1e6)), micro];
    return told === due && stats.totalReferrals === friends
      ? null
      : `is shown ${stats.totalReferrals} friends and ${told}, due ${friends} and ${due}`;
  });
}

/** That the data is what it was made for: one payment in the ledger without its answer, one that has not reached it. */
export function unanswered({ byUser, members }) {
  const found = members.flatMap(({ _id, commission }) => {
    if (!commission.pending) return [];
    const key = `commission:${_id}:${commission.pending.n}`;
    return [byUser.get(_id).entries.some((entry) => entry._id === key) ? 'in the ledger' : 'not in the ledger'];
  });
  return found.sort().join() === 'in the ledger,not in the ledger' ? [] : [`payments pending: ${found}`];
}

/** The series `commission` of each referrer: a tenth of all that friends earned since they came, with one floor. */
export function commission(books, people) {
  return Object.entries(FRIENDS).flatMap(([referrer, friends]) => {
    const earned = friends.reduce((sum, friend) => sum + sumMicro(books.byUser.get(people[friend].id), ELIGIBLE), 0n);
    const paid = commissionOf(books, people[referrer].id);
    return paid === earned / 10n ? [] : [`${referrer} got ${paid}, due ${earned / 10n}`];
  });
}

export function payments({ members }) {
  return members.flatMap((member) => [
    ...PAYMENT_FIELDS.filter((field) => isThere(member[field])).map((field) => `${member._id} still has ${field}`),
    ...(member.commission?.pending ? [`${member._id} still has a payment pending`] : []),
  ]);
}

export function earnOn(before, after, people) {
  return each(people, ({ id, gone }) => {
    const [was, is] = [before, after].map(({ byUser }) => sumMicro(byUser.get(id), ELIGIBLE));
    return gone ? (was === is ? null : `erased, and earned ${is - was}`) : is > was ? null : `earned nothing`;
  });
}

export function same(before, after) {
  return [
    ...entriesKept(before, after),
    ...[...before.byUser].flatMap(([userId, own]) => {
      const [was, is] = [own, after.byUser.get(userId)].map((one) => sumMicro(one));
      return was === is ? [] : [`${userId}: ${was} before, ${is} after`];
    }),
  ];
}

const isThere = (value) => (Array.isArray(value) ? value.length > 0 : value !== undefined);

function commissionOf({ byUser }, userId) {
  return sumMicro(byUser.get(userId), ['commission']);
}

function told(entry) {
  return entry && [entry.userId, entry.source, entry.amountMicro, entry.seq, entry.balanceMicro].join(' ');
}

async function eachAsync(people, look) {
  const found = await Promise.all(Object.values(people).map(async (person) => [person.name, await look(person)]));
  return found.filter(([, wrong]) => wrong !== null).map(([name, wrong]) => `${name}: ${wrong}`);
}

function each(people, look) {
  return look.constructor.name === 'AsyncFunction'
    ? eachAsync(people, look)
    : Object.values(people).flatMap((person) => {
        const wrong = look(person);
        return wrong === null ? [] : [`${person.name}: ${wrong}`];
      });
}
