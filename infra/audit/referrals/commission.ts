import { commissionMicro, REFERRER_BONUS_MICRO } from '@cord/contracts/rules/bonuses';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { Found, type Judgement } from '../findings.js';
import type { Rules } from '../ledger/rates.js';
import { checkBonus, checkFriend } from './friend.js';
import type { BucketDoc, FriendBooks, ReferralSource } from './source.js';

/** Lines of all buckets of a referrer, with the bucket's number. */
type Lines = Map<string, BucketDoc['lines'][string] & { bucket: number }>;

/**
 * Checks one referrer. The ledger's commission must be 10 % of the friends' earnings since their links, rounded down
 * once. Friends' records, lines and buckets must agree, and each 86 CORD bonus must exist once. The ledger is read
 * first and the friends last, so that it can never be ahead of them.
 */
export async function checkReferrer(
  source: ReferralSource,
  referrerId: string,
  rules: Rules,
  judgement: Judgement,
): Promise<Found> {
  const found = new Found(`referrer ${referrerId}`, judgement);
  const account = await source.account(referrerId);
  const lines = await readBuckets(source, referrerId, found);
  const bonuses = await source.bonuses(referrerId);
  const sum = { countedMicro: 0n, mostMicro: 0n };
  let reachedAtMs = 0;
  const referrer = { id: referrerId, erased: account?.erased ?? true };
  const isBehind = found.behind;
  for await (const friend of source.friends(referrerId)) {
    const { _id } = friend.member;
    const line = lines.get(_id);
    lines.delete(_id);
    checkPlace(friend, line?.bucket, found);
    const { countedMicro, mostMicro } = checkFriend(friend, line, rules, found);
    sum.countedMicro += countedMicro;
    sum.mostMicro += mostMicro;
    reachedAtMs = Math.max(reachedAtMs, friend.account?.reachedAtMs ?? 0, friend.account?.settledAtMs ?? 0);
    checkBonus(friend, referrer, bonuses.get(_id), found);
    bonuses.delete(_id);
  }
  for (const friendId of bonuses.keys())
    found.wrong(`refwelcome:${referrerId}:${friendId} is credited, but the user is not a friend`, REFERRER_BONUS_MICRO);
  for (const friendId of lines.keys()) found.wrong(`a line counts ${friendId}, who is not a friend`);
  const member = await source.member(referrerId);
  if (!account) return found;
  const { commissionMicro: paidMicro } = account;
  const mostMicro = commissionMicro(FIRST_BOOK, sum.mostMicro);
  if (paidMicro > mostMicro)
    found.wrong(`the ledger paid ${paidMicro} commission, all friends allow ${mostMicro}`, paidMicro - mostMicro);
  const dueMicro = commissionMicro(FIRST_BOOK, sum.countedMicro);
  // An erased user is owed nothing more.
  if (account.erased || !member) return found;
  const since = member.dueAt !== undefined || found.behind > isBehind ? judgement.nowMs : reachedAtMs;
  if (paidMicro !== dueMicro)
    found.late(`the ledger paid ${paidMicro} commission, expected ${dueMicro}`, since, paidMicro - dueMicro);
  if (member.commission.paidMicro > paidMicro)
    found.late(
      `the referrer sees ${member.commission.paidMicro} commission, the ledger paid ${paidMicro}`,
      reachedAtMs,
    );
  return found;
}

async function readBuckets(source: ReferralSource, referrerId: string, found: Found): Promise<Lines> {
  const all: Lines = new Map();
  for await (const { lines, ...head } of source.buckets(referrerId)) {
    const bucket = Number(head._id.slice(referrerId.length + 1));
    const each = Object.entries(lines);
    const sumMicro = each.reduce((sum, [, { c }]) => sum + BigInt(c), 0n);
    found.sum(`the sum of bucket ${bucket}`, head.sumMicro, sumMicro);
    if (head.size !== each.length) found.wrong(`bucket ${bucket} counts ${head.size} lines, but has ${each.length}`);
    const friends = each.filter(([, { r }]) => r !== true).length;
    if (head.friends !== friends) found.wrong(`bucket ${bucket} counts ${head.friends} friends, but has ${friends}`);
    for (const [friendId, line] of each) {
      if (all.has(friendId)) found.wrong(`friend ${friendId} has two lines`, BigInt(line.c));
      all.set(friendId, { ...line, bucket });
    }
  }
  return all;
}

function checkPlace({ member: { _id, referredBy } }: FriendBooks, bucket: number | undefined, found: Found): void {
  if (bucket !== undefined && bucket !== referredBy?.bucket)
    found.wrong(`friend ${_id} has a line in bucket ${bucket}, but the record has ${referredBy?.bucket}`);
}
