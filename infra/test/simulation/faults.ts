import type { Fault } from './modules.js';

/** Deliberate faults in the real code, each a rule that holds no more; the simulation has to catch every one. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'a code is refused for good while the account is not open yet',
    file: 'referrals/links.ts',
    from: "if (!account) throw unavailable('ledger-unknown-user', TEXTS.referralFailed, 2);",
    to: "if (!account) throw notFound('user-not-found', TEXTS.userNotFound);",
  },
  {
    name: 'a promise is refused for good while the account is not open yet',
    file: 'mining/ledger/refusal.ts',
    from: "  'unknown-user',\n  'key-early',",
    to: "  'key-early',",
  },
  {
    name: 'days without claims break streaks',
    file: 'contracts/rules/streak.ts',
    from: 'lastKey < needed && excused.has(needed)',
    to: 'false',
  },
  {
    name: 'the last hours of a day without claims are like any others',
    file: 'contracts/rules/streak.ts',
    from: 'offWithin(apart, endMs - LAST_HOURS_MS, endMs) >= EXCUSED_LAST_HOURS_MS',
    to: 'false',
  },
  {
    name: 'a task may pay nothing',
    file: 'contracts/http/tasks.ts',
    from: '(value) => value > 0',
    to: '(value) => value >= 0',
  },
  {
    name: 'who erases the account is asked about only while the node runs',
    file: 'referrals/follow.ts',
    from: 'if (!member?.friend || member.erased) return;',
    to: 'if (!member?.friend || member.againAt === undefined) return;',
  },
  {
    name: 'the last account of a friend is taken before the ledger has closed it',
    file: 'referrals/ledger.ts',
    from: 'if (account?.erased !== false) return',
    to: 'if (account !== undefined) return',
  },
  {
    name: 'a wait for 86 CORD ends by an event of the friend only',
    file: 'referrals/domain/friend.ts',
    from: 'const endsAtMs = waitEndsAtMs(known.mined, standing.mined, standing.nowMs);',
    to: 'const endsAtMs = undefined as number | undefined;',
  },
  {
    name: 'nobody looks for a cycle',
    file: 'referrals/links.ts',
    from: "if (next.id === userId) return declared ? 'declared' : 'linked';",
    to: 'if (next.id === userId && declared) return null;',
  },
  {
    name: 'the key of a task names no user',
    file: 'tasks/domain/claim.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    from: 'key: `task:${task.id}:${record.userId}:',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    to: 'key: `task:${task.id}:',
  },
  {
    name: 'a claim is written without its promise',
    file: 'rewards/store.ts',
    from: 'return withPromise(told(made, claimTold(made, kind), nowMs), credit, nowMs);',
    to: 'return credit && told(made, claimTold(made, kind), nowMs);',
  },
  {
    name: 'a promise bears no mark for the sweep',
    file: 'kit/owing.ts',
    from: ', promisedAt: doc.promisedAt ?? nowMs };',
    to: ', ...(nowMs < 0 ? { promisedAt: nowMs } : {}) };',
  },
  {
    name: 'a promise ends when the ledger does not answer',
    file: 'kit/promised-credits.ts',
    from: "if (err instanceof LedgerUnavailable) return 'pending';",
    to: "if (err instanceof LedgerUnavailable) {\n        await documents.takeOut(id, credit.key);\n        return 'pending';\n      }",
  },
  {
    name: 'a promise is taken out before the ledger is asked',
    file: 'kit/promised-credits.ts',
    from: '      result = await ledger.credit(credit);',
    to: '      await documents.takeOut(id, credit.key);\n      result = await ledger.credit(credit);',
  },
  {
    name: 'whoever has told the commission takes the mark, also one that was made meanwhile',
    file: 'referrals/dues.ts',
    from: 'if (taken === token) return { doc, result: undefined };',
    to: 'if (token >= 0n) return { doc, result: undefined };',
  },
  {
    name: 'commission that the ledger did not take is settled',
    file: 'referrals/payer.ts',
    from: 'await (whole ? dues.settled',
    to: 'await (whole || told ? dues.settled',
  },
  {
    name: 'an older balance of a friend takes the place of a newer one',
    file: 'referrals/domain/friend.ts',
    from: 'friend.gone || account.accountSeq <= friend.accountSeq ? friend',
    to: 'friend.gone ? friend',
  },
  {
    name: 'an erased account is credited',
    file: 'mining/ledger/credit.ts',
    from: "  if (account.erasedAtMs !== null) throw refuse('erased-user', 'This user was erased.');\n  const closed",
    to: '  const closed',
  },
];
