import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { concat } from '@cord/contracts/proof/bytes';
import { afterAll, expect, test } from 'vitest';
import {
  accountId,
  dayOf,
  entriesOf,
  leafOf,
  logOf,
  newKey,
  pastRecord,
  resealed,
  world,
} from '../../services/contracts/proof/test/sample.js';
import type { ProofFile } from '../../services/contracts/proof/verify.js';
import { checkLedger } from '../../shell/ledger-check/check.js';
import { NOBLE } from '../../shell/ledger-check/noble.js';
import { VERIFIER_FILE } from './verifier.ts';
import { ROOT } from './workspaces.ts';

/* Each fraud that an operator could try with a proof: found by the check of the page and by verify.mjs, which give the same line. */

const folder = mkdtempSync(join(tmpdir(), 'cord-frauds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const made = world();
const own = made.proofOf(2);
const [account, other] = [made.ids[2] as string, made.ids[3] as string];

/** The proof with some of its entries otherwise. */
const withEntries = (change: (entries: ProofFile['entries']) => ProofFile['entries']) => ({
  ...own,
  entries: change(structuredClone(own.entries)),
});
const withEntry = (n: number, fields: Partial<ProofFile['entries'][number]>) =>
  withEntries((entries) => entries.map((entry, at) => (at === n - 1 ? { ...entry, ...fields } : entry)));
const withSibling = (sum: (text: string) => string): ProofFile => ({
  ...own,
  path: own.path.map(([text, hash], at): [string, string] => (at === 0 ? [sum(text), hash] : [text, hash])),
});
const written = entriesOf(account, own.entries.length, ({ n }) => (n === '3' ? { reason: 'Another' } : {}));
const logWithout = logOf([...made.past, pastRecord('2026-11-26')], made.key);
const yesterday = dayOf(
  made.ids.map((id) => leafOf(id, made.books.get(id) ?? [], '2026-11-25')),
  '2026-11-25',
);

const FRAUDS: [string, ProofFile, RegExp][] = [
  ['an amount changed', withEntry(4, { amount: '31000000' }), /^MISMATCH entry 4: /],
  ['an entry dropped', withEntries((entries) => entries.filter(({ n }) => n !== '4')), /^MISMATCH entry 4: /],
  ['two entries swapped', withEntries(([a, b, ...rest]) => [b, a, ...rest] as typeof rest), /^MISMATCH entry 1: /],
  ['the tail cut off below the leaf', withEntries((entries) => entries.slice(0, -1)), /^MISMATCH leaf: /],
  ['the whole chain written anew', { ...own, entries: written }, /^MISMATCH leaf: /],
  [
    'an entry inserted, its number taken twice',
    withEntries((all) => [...all.slice(0, 4), ...all.slice(3)]),
    /^MISMATCH entry 5: /,
  ],
  [
    "another user's entry",
    withEntries((all) => [...all.slice(0, 3), ...made.proofOf(3).entries.slice(3)]),
    /^MISMATCH entry 4: /,
  ],
  ['an amount moved to another source', withEntry(4, { source: 'referral' }), /^MISMATCH entry 4: /],
  ['a reason changed', withEntry(4, { reason: 'Other' }), /^MISMATCH entry 4: /],
  [
    'an amount that is not what its facts make',
    { ...own, entries: resealed(account, withEntry(4, { facts: '500000000 3600001 59999999' }).entries) },
    /^MISMATCH (entry|leaf)/,
  ],
  ['a number written otherwise', withEntry(1, { n: '01' }), /^MISMATCH entry /],
  ['a balance carried forward', { ...own, opened: { seq: '1', balance: '1000000' } }, /^MISMATCH entry 1: /],
  ["another's leaf", { ...own, leaf: made.proofOf(3).leaf }, /^MISMATCH leaf: /],
  ["another's whole proof", made.proofOf(3), new RegExp(`^MISMATCH file: it is of account ${other}`)],
  ['a lowered sum of a sibling', withSibling((sum) => String(BigInt(sum) - 1n)), /^MISMATCH tree: /],
  ['a negative sum of a sibling', withSibling(() => '-5'), /^MISMATCH tree: /],
  ['a sum that overflows', withSibling(() => String(2n ** 63n - 1n)), /^MISMATCH tree: /],
  [
    'another number of accounts',
    { ...own, record: own.record.replace('accounts 7', 'accounts 6') },
    /^MISMATCH (tree|log): /,
  ],
  ['another total', { ...own, record: own.record.replace(/total \d+/, 'total 1') }, /^MISMATCH tree: /],
  ['the path of another index', { ...own, index: 3 }, /^MISMATCH tree: /],
  [
    "yesterday's leaf under today's root",
    { ...own, leaf: leafOf(account, own.entries, '2026-11-25') },
    /^MISMATCH leaf: /,
  ],
  [
    'a day that is not in the log',
    { ...own, record: yesterday.record, path: yesterday.pathOf(2), leaf: leafOf(account, own.entries, '2026-11-25') },
    /^MISMATCH log: /,
  ],
  ['a log without the day', { ...own, tlog: logWithout.tlogOf(10) }, /^MISMATCH log: /],
  ['another size of the log', { ...own, tlog: own.tlog.replace('\n11\n', '\n12\n') }, /^MISMATCH (log|signature): /],
  [
    'another key',
    { ...own, tlog: logOf([...made.past, made.day.record], newKey()).tlogOf(10) },
    /^MISMATCH signature: /,
  ],
];

/** The line of the page. */
async function byPage(proof: ProofFile): Promise<{ text: string; next: unknown }> {
  const { verdict, next } = await checkLedger(NOBLE, {
    ...{ account, proof, later: [], checkpoint: made.log.checkpoint, hashes: concat(...made.log.hashes) },
    keys: [{ vkey: made.key.vkey, vouched: null }],
    begun: null,
    before: { log: null, own: null, isPart: false },
  });
  return { text: verdict.text, next };
}

/** The program, in a thread: a process for each fraud takes ten times as long. */
async function byVerifier(proof: ProofFile): Promise<{ status: number; stdout: string }> {
  const file = join(folder, 'proof.json');
  writeFileSync(file, JSON.stringify(proof));
  const program = new Worker(join(ROOT, VERIFIER_FILE), { argv: [file, '--vkey', made.key.vkey], stdout: true });
  let stdout = '';
  program.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const [status] = await once(program, 'exit');
  return { status, stdout };
}

test('a proof that nobody changed holds', async () => {
  const { text, next } = await byPage(own);
  expect(text).toMatch(/^OK /);
  expect(next).not.toBeNull();
  expect(await byVerifier(own)).toEqual({ status: 0, stdout: `${text}\n` });
  expect(account).toBe(accountId(3));
});

test.each(FRAUDS)('%s', async (name, proof, found) => {
  const { text, next } = await byPage(proof);
  expect(text).toMatch(found);
  // What does not hold is not remembered.
  expect(next).toBeNull();
  // Whose proof it has to be is known to the page alone.
  const stdout = name === "another's whole proof" ? expect.stringMatching(/^OK /) : `${text}\n`;
  expect(await byVerifier(proof)).toEqual({ status: name === "another's whole proof" ? 0 : 1, stdout });
});
