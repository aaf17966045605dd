import { z } from 'zod';
import * as at from '../addresses/log.js';
import { endpoint } from '../endpoint.js';
import { id128, idParams, time } from './fields.js';

const utcDay = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a UTC day such as 2026-11-26');
const text = z.string();

/** A proof as `verifyProof` checks it (services/contracts/proof/README.md). Integers are decimal strings. */
const ledgerProof = z.object({
  version: z.literal(1),
  account: id128,
  opened: z.object({ seq: text, balance: text }).nullable(),
  entries: z.array(
    z.object({
      ...{ n: text, seq: text, key: text, source: text, amount: text, balance: text },
      ...{ at: text, reason: text, facts: text, hash: text },
    }),
  ),
  leaf: z.object({ day: text, account: text, n: text, head: text, sum: text, who: text, salt: text }),
  index: z.number().int(),
  /** Siblings up to the root: sum and hash. */
  path: z.array(z.array(text).length(2)),
  record: text,
  tlog: text,
  /** The rules that the record pins; absent when their text is unknown. */
  rules: text.optional(),
});

/** The keys of the log, oldest first, with the sizes that each signs. */
const logKeys = z.object({
  /** The first record of a log that replaced another one, even before its first checkpoint; null for the first log. */
  begun: text.nullable(),
  /** The earlier logs with all their keys, oldest first, to verify files saved from them. */
  former: z.array(z.object({ origin: text, vkeys: z.array(text) })).optional(),
  keys: z.array(
    z.object({
      vkey: text,
      from: z.number().int(),
      /** The first size of the next key. */
      to: z.number().int().nullable(),
      /** The checkpoint of size `from`, also signed by the previous key; null for the first key. */
      vouched: text.nullable(),
    }),
  ),
});

const dayRoot = z.object({
  record: text,
  /** When the record was made. */
  at: time,
  checkpoint: text,
  /** Memo of the checkpoint on Solana; null until it exists. */
  memo: z.object({ signature: text, slot: z.number().int() }).nullable(),
  /** The account whose memos hold this log's checkpoints, base58; null when none are written. */
  memoSigner: text.nullable(),
  cosignatures: z.array(text),
});

export const logEndpoints = {
  proof: endpoint('mining', at.proof, {
    params: idParams,
    query: z.strictObject({
      day: utcDay.optional(),
      /** Number of an entry; entries up to and including it are omitted. */
      after: z
        .string()
        .regex(/^(0|[1-9]\d{0,14})$/, 'must be the number of an entry')
        .optional(),
    }),
    response: ledgerProof,
    summary:
      'The proof of the own ledger on a day: its entries, or those after one, and the way from them to the signed log',
    // The response holds all entries of an account, tens of thousands at the maximum rate of starts and stops: each costs the process time.
    rateClass: 'claim',
  }),
  keys: endpoint('mining', at.keys, {
    response: logKeys,
    summary: 'The keys that sign the log over the roots of days',
  }),
  root: endpoint('mining', at.root, {
    params: z.strictObject({ day: utcDay }),
    response: dayRoot,
    summary: 'The record of a day, and the newest signed checkpoint, whose log has it',
  }),
} as const;
