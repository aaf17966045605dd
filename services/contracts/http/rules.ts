import { z } from 'zod';
import * as at from '../addresses/rules.js';
import { endpoint } from '../endpoint.js';
import { timeMs } from '../events/envelope.js';
import { epochRow, RULE_TIERS_MAX, ruleBook, ruleTier } from '../events/rewards.js';
import { id128, idParams, reason, time } from './fields.js';

/** A rule book in its public form (rules/rule-book.ts), with the time and the reason of its announcement. */
const announcedBook = ruleBook.extend({
  /** Null for the first book. */
  announcedAtMs: timeMs.nullable(),
  /** Empty for the first book. */
  reason: z.string(),
  /** Why it was announced less than 72 hours ahead; null otherwise. */
  sooner: z.string().nullable(),
});
export type AnnouncedBook = z.infer<typeof announcedBook>;

/** All past and future books and epochs: what the day records pin (services/contracts/proof/README.md). */
const publicRules = z.object({ books: z.array(announcedBook).min(1), epochs: z.array(epochRow) });
export type PublicRules = z.infer<typeof publicRules>;

const { version: _version, fromMs: _fromMs, commissionPercent: _promised, ...numbers } = ruleBook.shape;

/** The fields that a book may change, in the units of rules/rule-book.ts. The commission is excluded: it is promised for life. */
const changes = z.strictObject({ ...numbers, tiers: z.array(ruleTier.strict()).min(1).max(RULE_TIERS_MAX) }).partial();
export type RuleChanges = z.infer<typeof changes>;

/** A change that one operator has proposed; it is announced once another confirms it. */
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
      /** When it takes effect: at least 72 hours ahead, or at least one hour with `sooner`. */
      from: time,
      changes,
      /** The reason shown to users. */
      reason,
      /** Why users have less than 72 hours' notice; shown to users too. */
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
