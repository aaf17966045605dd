import type { SolanaRpc } from '@cord/contracts/proof/memos';
import type { mongo } from 'mongoose';
import { type Audited, auditUsers } from './audit.js';
import type { Judgement, OnFinding } from './findings.js';
import { rulesOf } from './ledger/rates.js';
import { auditRoots, type RootRules, type RootsAudited } from './ledger/roots.js';
import { PATIENCE, type Patience } from './patience.js';
import { auditPayments, type PaymentsAudited } from './payments/audit.js';
import { Chain, type ChainRules } from './payments/chain.js';
import { mongoPayments } from './payments/source.js';
import { auditReferrals, type ReferralsAudited } from './referrals/audit.js';
import { mongoReferrals } from './referrals/source.js';
import { mongoSource, type Reading } from './store/mongo-source.js';

/** The databases to audit, and the rules. */
export interface Books {
  /** The database of a service, opened with useBigInt64. */
  databaseOf: (service: string) => mongo.Db;
  reading: Reading;
  judgement: Judgement;
  /** Null without an address of the chain. */
  chain: ChainRules | null;
  /** A node of Solana; null without an address. */
  solana: SolanaRpc | null;
  roots: RootRules;
  /** The current time, ms since epoch, also for a stopped system. */
  now: () => number;
}

export interface BooksAudited {
  users: Audited;
  referrals: ReferralsAudited;
  payments: PaymentsAudited;
  roots: RootsAudited;
  findings: number;
  behind: number;
  driftMicro: bigint;
}

/** Audits all databases of a system, running or stopped. @throws like its parts */
export async function auditBooks(
  { databaseOf, reading, judgement, chain, solana, roots: rootRules, now }: Books,
  onFinding: OnFinding,
  patience: Patience = PATIENCE,
): Promise<BooksAudited> {
  const source = mongoSource(databaseOf, reading);
  const users = await auditUsers(source, judgement, onFinding, patience);
  const rules = rulesOf(await source.epochs());
  const referrals = await auditReferrals(mongoReferrals(databaseOf, reading), rules, judgement, onFinding, patience);
  const onChain = chain && new Chain(chain);
  const payments = await auditPayments(mongoPayments(databaseOf, reading), onChain, judgement, onFinding, patience);
  const roots = await auditRoots(databaseOf('mining'), rootRules, onFinding, { solana, now });
  const parts = [users, referrals, payments];
  return {
    users,
    referrals,
    payments,
    roots,
    findings: parts.reduce((sum, { findings }) => sum + findings, roots.findings),
    behind: parts.reduce((sum, { behind }) => sum + behind, 0),
    driftMicro: parts.reduce((sum, { driftMicro }) => sum + driftMicro, roots.driftMicro),
  };
}

/**
 * Returns when a system was last active, ms: the latest credit or contact of any account. It is the reference time
 * for delays in a stopped system.
 */
export async function workedUntilMs(mining: mongo.Db): Promise<number> {
  const latest = { $max: ['$totals.allReachedAtMs', '$node.lastAtMs', '$openedAtMs'] };
  const [found] = await mining
    .collection('accounts')
    .aggregate<{ ms: number | bigint }>([{ $group: { _id: null, ms: { $max: latest } } }])
    .toArray();
  return Number(found?.ms ?? 0);
}
