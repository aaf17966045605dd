import type { Fault } from './modules.js';

/** Deliberate faults in the real code, each a rule that holds no more; the simulation has to catch every one. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'a code is refused for good while the account is not open yet',
    seed: 59,
    file: 'referrals/links.ts',
    from: "if (!account) throw unavailable('ledger-unknown-user', TEXTS.referralFailed, 2);",
    to: "if (!account) throw notFound('user-not-found', TEXTS.userNotFound);",
  },
  {
    name: 'a credit is refused for good while the account is not open yet',
    seed: 50,
    file: 'mining/ledger/refusal.ts',
    from: "  'unknown-user',\n  'key-early',",
    to: "  'key-early',",
  },
  {
    name: 'a life begins when the account opens',
    seed: 73,
    file: 'mining/ledger/credit-rules.ts',
    from: 'Math.min(joinedAtMs, openedAtMs) - 2 * AHEAD_MS',
    to: 'openedAtMs - 2 * AHEAD_MS',
  },
  {
    name: 'days without claims break streaks',
    seed: 24,
    file: 'contracts/rules/streak.ts',
    from: 'lastKey < needed && excused.has(needed)',
    to: 'false',
  },
  {
    name: 'the last hours of a day without claims are like any others',
    seed: 24,
    file: 'contracts/rules/streak.ts',
    from: 'offWithin(apart, endMs - LAST_HOURS_MS, endMs) >= EXCUSED_LAST_HOURS_MS',
    to: 'false',
  },
  {
    name: 'a task may pay nothing',
    seed: 3,
    file: 'contracts/http/tasks.ts',
    from: '(value) => value > 0',
    to: '(value) => value >= 0',
  },
  {
    name: 'who erases the account is asked about only while the node runs',
    seed: 14,
    file: 'referrals/follow.ts',
    from: 'if (!member?.friend) return false;',
    to: 'if (!member?.friend) return false;\n      if (member.againAt === undefined) return true;',
  },
  {
    name: 'a wait for 86 CORD ends by an event of the friend only',
    seed: 9,
    file: 'referrals/domain/friend.ts',
    from: 'const endsAtMs = waitEndsAtMs(known.mined, standing.mined, standing.nowMs);',
    to: 'const endsAtMs = undefined as number | undefined;',
  },
  {
    name: 'nobody looks for a cycle',
    seed: 3,
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
    name: 'a claim is written without its credit',
    file: 'rewards/store.ts',
    from: 'return withItem(told(made, claimTold(made, kind), nowMs), credit, nowMs);',
    to: 'return credit && told(made, claimTold(made, kind), nowMs);',
  },
  {
    name: 'an item bears no mark for the sweep',
    file: 'kit/outbox/items.ts',
    from: ', dirtyAt: doc.dirtyAt ?? nowMs };',
    to: ', ...(nowMs < 0 ? { dirtyAt: nowMs } : {}) };',
  },
  {
    name: 'a credit ends when the ledger does not answer',
    file: 'kit/outbox.ts',
    from: "if (err instanceof LedgerUnavailable) return 'pending';",
    to: "if (err instanceof LedgerUnavailable) {\n        await documents.takeOut(id, [credit]);\n        return 'pending';\n      }",
  },
  {
    name: 'a credit is taken out before the ledger is called',
    file: 'kit/outbox.ts',
    from: '      result = await ledger.credit(credit);',
    to: '      await documents.takeOut(id, [credit]);\n      result = await ledger.credit(credit);',
  },
];
