import { ageTenths } from '@cord/contracts/rules/age';
import { welcomeMicro } from '@cord/contracts/rules/bonuses';
import { bookAt, FIRST_BOOKS } from '@cord/contracts/rules/rule-book';
import { tierHundredths } from '@cord/contracts/rules/tiers';
import type { mongo } from 'mongoose';
import type { Account } from '../../../services/mining/ledger/account.ts';
import type { Member } from '../../../services/referrals/member.ts';
import { built } from '../../cli/system.ts';
import { idOf, profileOf } from '../ranks/crowd.ts';

const BATCH = 2_000;
/** Concurrent batches, so that the store never waits for the next one. */
const LANES = 3;
const DAY_MS = 86_400_000;

/** Upper numbers of accounts, users and ended sessions; those before `from` exist. */
interface What {
  from?: number;
  users: number;
  revocations: number;
  nowMs: number;
}

/**
 * Writes users and ended sessions directly into the services' stores, with their documents and indexes. An audit finds
 * no drift.
 */
export async function fillStores(
  client: mongo.MongoClient,
  { from = 0, users, revocations, nowMs }: What,
): Promise<void> {
  const [{ newAccount }, { newMember }] = await Promise.all([
    built<typeof import('../../../services/mining/ledger/account.ts')>('services/mining/dist/ledger/account.js'),
    built<typeof import('../../../services/referrals/member.ts')>('services/referrals/dist/member.js'),
  ]);
  const makers: [db: string, name: string, count: number, make: Make][] = [
    [
      'cord_mining',
      'accounts',
      users,
      (n) => accountDoc(newAccount(idOf(n), profileOf(n, nowMs).discordCreatedAtMs, nowMs)),
    ],
    ['cord_auth', 'users', users, (n) => userDoc(n, nowMs)],
    ['cord_referrals', 'members', users, (n) => memberDoc(newMember(idOf(n)), n, nowMs)],
    ['cord_auth', 'revocations', revocations, (n) => revocationDoc(n, nowMs)],
  ];
  for (const [db, name, count, make] of makers) {
    const startMs = performance.now();
    await insertAll(client.db(db).collection(name), from, count, make);
    console.log(
      `${Math.max(0, count - from)} ${name} of ${db} in ${((performance.now() - startMs) / 1000).toFixed(0)} s`,
    );
  }
}

/** Makes the n-th document. */
type Make = (n: number) => mongo.BSON.Document;

/** Inserts a range of documents in concurrent batches. */
export async function insertAll(
  collection: { insertMany(docs: mongo.BSON.Document[], options: { ordered: boolean }): Promise<unknown> },
  from: number,
  count: number,
  make: Make,
): Promise<void> {
  let next = from;
  const lane = async () => {
    for (let first = next; first < count; first = next) {
      next = Math.min(count, first + BATCH);
      const docs = Array.from({ length: next - first }, (_, n) => make(first + n));
      await collection.insertMany(docs, { ordered: false });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

const SEQ = 7n;

/** An account at rest: published, nothing to sweep. */
function accountDoc({ userId, announceSeq: _, ...account }: Account) {
  return { _id: userId, ...account, seq: SEQ };
}

/** The n-th user in auth: a returning one, without a pending welcome. */
export function userDoc(n: number, nowMs: number) {
  const { username, avatar, discordCreatedAtMs } = profileOf(n, nowMs);
  const joinedAtMs = nowMs - DAY_MS;
  const tier = tierHundredths(bookAt(FIRST_BOOKS, joinedAtMs), joinedAtMs - discordCreatedAtMs);
  return {
    _id: idOf(n),
    discordId: String(10n ** 17n + BigInt(n)),
    username,
    usernameLower: username,
    discriminator: '0',
    avatar,
    discordCreatedAtMs,
    joinedAtMs,
    lastLoginAtMs: joinedAtMs,
    locale: 'en',
    theme: 'dark',
    autoStart: false,
    notifications: true,
    isAdmin: false,
    returning: true,
    onboarding: {
      ledgerOpened: true,
      welcomeKey: `welcome:${idOf(n)}`,
      welcomeMicro: welcomeMicro(ageTenths(discordCreatedAtMs, joinedAtMs), tier),
      welcomeState: 'refused',
      referralState: 'none',
      referralBonusMicro: 0n,
      tries: 0,
    },
    greeting: { isNewUser: true, acknowledged: true, sessionId: idOf(n) },
    seq: 1,
    outbox: [],
  };
}

function memberDoc(member: Member, n: number, nowMs: number) {
  const { username, avatar } = profileOf(n, nowMs);
  const code = n.toString(32).toUpperCase().padStart(8, 'Z');
  return { ...member, seq: 1n, code, profile: { username, avatar, returning: true, welcomeMicro: 0n } };
}

/** A session ended within the week in which its token is valid. */
function revocationDoc(n: number, nowMs: number) {
  return { _id: `jti.${idOf(n)}`, notBeforeMs: nowMs - (n % DAY_MS), untilMs: nowMs + 6 * DAY_MS };
}
