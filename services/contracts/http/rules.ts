import { z } from 'zod';
import * as at from '../addresses/rules.js';
import { endpoint } from '../endpoint.js';
import { timeMs } from '../events/envelope.js';
import { epochRow, RULE_TIERS_MAX, ruleBook, ruleTier } from '../events/rewards.js';
import { id128, idParams, reason, time } from './fields.js';

/** A rule book as everybody sees it: numbers as they are paid by (rules/rule-book.ts), with when it was announced and why. */
const announcedBook = ruleBook.extend({
  /** Null for the first one. */
  announcedAtMs: timeMs.nullable(),
  /** Empty for the first one. */
  reason: z.string(),
  /** Why it was announced less than 72 hours ahead; null where it was not. */
  sooner: z.string().nullable(),
});
export type AnnouncedBook = z.infer<typeof announcedBook>;

/** All books and epochs, of the past and to come: what the records of days pin (services/contracts/proof/README.md). */
const publicRules = z.object({ books: z.array(announcedBook).min(1), epochs: z.array(epochRow) });
export type PublicRules = z.infer<typeof publicRules>;

const { version: _version, fromMs: _fromMs, commissionPercent: _promised, ...numbers } = ruleBook.shape;

/** What a book may change, with the units of rules/rule-book.ts. The commission is promised for life and not among it. */
const changes = z.strictObject({ ...numbers, tiers: z.array(ruleTier.strict()).min(1).max(RULE_TIERS_MAX) }).partial();
export type RuleChanges = z.infer<typeof changes>;

/** A change that one operator has proposed: it is not announced until another one confirms it. */
const ruleProposal = z.object({
  id: id128,
  from: time,
  changes,
  reason: z.string(),
  sooner: z.string().nullable(),
  proposedBy: id128,
  proposedAt: time,
});
export type RuleProposal = z.infer<typeof ruleProposal>;

const open = z.object({ proposals: z.array(ruleProposal) });

export const rulesEndpoints = {
  rules: endpoint('rewards', at.rules, {
    response: publicRules,
    summary: 'The rules by which CORD is earned, with their history and what is announced',
  }),
  proposals: endpoint('rewards', at.proposals, {
    response: open,
    summary: 'Admins: changes of the rules that wait for a second admin',
  }),
  propose: endpoint('rewards', at.propose, {
    fresh: true,
    status: 201,
    body: z.strictObject({
      /** When it takes effect: at least 72 hours ahead, with `sooner` at least one. */
      from: time,
      changes,
      /** What users read. */
      reason,
      /** Why users have less than 72 hours; they read it, too. */
      sooner: reason.optional(),
    }),
    response: ruleProposal,
    summary: 'Admins: propose a change of the rules; another admin confirms it',
  }),
  decide: endpoint('rewards', at.decide, {
    fresh: true,
    params: idParams,
    body: z.strictObject({ decision: z.enum(['confirm', 'withdraw']), reason }),
    response: open,
    summary: 'Admins: confirm a change of the rules that another admin has proposed, or withdraw it',
  }),
} as const;
