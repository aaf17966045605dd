import { ageTenths } from '@cord/contracts/rules/age';
import { referredBonusMicro, welcomeMicro } from '@cord/contracts/rules/bonuses';
import { bookAt, type RuleBook } from '@cord/contracts/rules/rule-book';
import { tierHundredths } from '@cord/contracts/rules/tiers';
import type { AssessmentDoc } from '../../../services/auth/anticheat/assessments.js';
import type { Paid } from './paid.js';

/** Checks the welcome stored by auth against the ledger and its formula. */
export function checkWelcome(paid: Paid, rules: readonly RuleBook[]): void {
  const { books, found } = paid;
  const { user, userId } = books;
  const key = `welcome:${userId}`;
  // Auth has no data of erased users.
  if (!user) return;
  const { onboarding, discordCreatedAtMs, joinedAtMs, returning } = user;
  const amountMicro = BigInt(onboarding.welcomeMicro);
  if (onboarding.welcomeKey !== key) found.wrong(`the welcome has the key ${onboarding.welcomeKey}`);
  const tier = tierHundredths(bookAt(rules, joinedAtMs), joinedAtMs - discordCreatedAtMs);
  found.sum(
    'the welcome by the age of the account',
    amountMicro,
    welcomeMicro(ageTenths(discordCreatedAtMs, joinedAtMs), tier),
  );
  const refused = onboarding.welcomeState === 'refused';
  if (refused !== returning)
    found.wrong(`the welcome is ${onboarding.welcomeState}, the user is ${returning ? 'returning' : 'new'}`);
  if (onboarding.welcomeState === 'credited' && !paid.once.has(key) && !paid.isErased)
    found.wrong(`${key} is marked as credited and has no entry`, amountMicro);
  else if (onboarding.welcomeState === 'pending' && !paid.once.has(key)) {
    if (onboarding.dueAtMs == null) found.wrong(`${key} is pending, with no retry scheduled`, amountMicro);
    else found.late(`${key} is pending`, joinedAtMs, amountMicro);
  } else paid.checkOnce(key, refused ? null : { amountMicro }, false);
}

/** Checks the newcomer's bonus: a tenth of the own welcome, for each new user with a referrer. */
export function checkReferralBonus(paid: Paid): void {
  const { userId, member } = paid.books;
  const linked = member?.referredBy ?? null;
  const amountMicro = referredBonusMicro(BigInt(member?.profile?.welcomeMicro ?? 0));
  const due = linked && !member?.profile?.returning && amountMicro > 0n ? { amountMicro } : null;
  paid.checkOnce(`refbonus:${userId}`, due, paid.hasDropped(member));
}

/** Checks compensation and the reward of badge holders. */
export function checkRewards(paid: Paid): void {
  const { books, found } = paid;
  const { holder, userId, account } = books;
  const erased = paid.hasDropped(holder);
  for (const [kind, source] of [
    ['compensation', 'compensation'],
    ['cordClaim', 'cordclaim'],
  ] as const) {
    const claim = holder?.[kind] ?? null;
    const due = claim && { amountMicro: BigInt(claim.amountMicro) };
    paid.checkOnce(`${source}:${userId}`, due, erased);
    if (claim && holder?.returning) found.wrong(`${source} was claimed by a returning user`);
  }
  if (erased) return;
  if (holder?.cordClaim && !holder.badge) found.wrong('the reward of badge holders is claimed without a badge');
  const earns = account?.factors.badge === true;
  if (holder?.badge && account && !earns)
    found.late('the user owns the badge, but the node earns no 5 % more', holder.badge.purchasedAtMs);
  if (earns && !holder?.badge) found.wrong('the node earns 5 % more without a badge');
}

/** Checks the factors that bound an account's earnings, age and network check, against auth. */
export function checkFactors({ books, found }: Paid): void {
  const { user, account, assessment } = books;
  if (!user || !account || account.erasedAtMs !== null) return;
  const { discordCreatedAtMs, antiCheatHundredths } = account.factors;
  if (Number(discordCreatedAtMs) !== Number(user.discordCreatedAtMs))
    found.wrong(`discordCreatedAtMs is ${discordCreatedAtMs} in the ledger, ${user.discordCreatedAtMs} in auth`);
  const { efficiencyHundredths: due, history = [], checkedAtMs } = assessment ?? NEVER_CHECKED;
  if (BigInt(antiCheatHundredths) === BigInt(due)) return;
  // The time since the factor has its value; without any change there is no history.
  const changed = history[history.findLastIndex(({ factorHundredths }) => factorHundredths !== due) + 1];
  found.late(
    `the factor of the network check is ${antiCheatHundredths} in the ledger, ${due} in auth`,
    Number(changed?.atMs ?? checkedAtMs),
  );
}

/** The assessment of an unchecked user, who loses nothing. */
const NEVER_CHECKED: Pick<AssessmentDoc, 'efficiencyHundredths' | 'history' | 'checkedAtMs'> = {
  efficiencyHundredths: 100,
  checkedAtMs: 0,
};

/** Checks that all services agree on who exists and who is erased. */
export function checkErasure(paid: Paid): void {
  const { books, found } = paid;
  const { user, erasure, account, record, streak, holder, member } = books;
  if (account && !user && !erasure) found.late('the account has no user', account.openedAtMs, account.balanceMicro);
  if (user && !account) found.late('the user has no account', user.joinedAtMs);
  if (user && erasure) found.late('the user exists, but was erased', erasure.atMs);
  const tombstones = { record, streak, holder, member };
  for (const [name, document] of Object.entries(tombstones)) {
    if (document?.erased && !erasure) found.wrong(`the ${name} is a tombstone, but the user was not erased`);
    if (document && !document.erased && erasure)
      found.late(`the ${name} of an erased user is not a tombstone`, erasure.atMs);
  }
  const erasedAtMs = account?.erasedAtMs ?? null;
  if (erasedAtMs !== null && !erasure) found.wrong('the account is erased, but the user is not');
  if (account && erasedAtMs === null && erasure) found.late('the account of an erased user is open', erasure.atMs);
  if (account && erasedAtMs !== null && account.node.status !== 'idle') found.wrong('the node of an erased user runs');
}
