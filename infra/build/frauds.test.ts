import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { beforeAll, expect, test } from 'vitest';
import { accountId, logOf, newKey, world } from '../../services/contracts/proof/test/sample.js';
import type { ProofFile } from '../../services/contracts/proof/verify.js';
import { checkLedger } from '../../shell/ledger-check/check.js';
import { NOBLE } from '../../shell/ledger-check/noble.js';
import { verifierText } from './verifier.ts';

/* Both the page's check and verify.mjs detect what an operator could forge in a proof, with the same message. */

const folder = mkdtempSync(join(tmpdir(), 'cord-frauds-'));
beforeAll(async () => writeFileSync(join(folder, 'verify.mjs'), await verifierText()));

const made = world();
const own = made.proofOf(2);
const [account, other] = [made.ids[2] as string, made.ids[3] as string];

/** Returns the proof with changed entries. */
const withEntries = (change: (entries: ProofFile['entries']) => ProofFile['entries']) => ({
  ...own,
  entries: change(structuredClone(own.entries)),
});
const withEntry = (n: number, fields: Partial<ProofFile['entries'][number]>) =>
  withEntries((entries) => entries.map((entry, at) => (at === n - 1 ? { ...entry, ...fields } : entry)));

/** One fraud of each kind; services/contracts/proof/frauds-*.test.ts have all of them. */
const FRAUDS: [string, ProofFile, RegExp][] = [
  ['an amount changed', withEntry(4, { amount: '31000000' }), /^MISMATCH entry 4: /],
  ['the tail cut off below the leaf', withEntries((entries) => entries.slice(0, -1)), /^MISMATCH leaf: /],
  ["another's whole proof", made.proofOf(3), new RegExp(`^MISMATCH file: it is of account ${other}`)],
  ['the path of another index', { ...own, index: 3 }, /^MISMATCH tree: /],
  [
    'another key',
    { ...own, tlog: logOf([...made.past, made.day.record], newKey()).tlogOf(10) },
    /^MISMATCH signature: /,
  ],
];

/** Returns the page's message. */
async function byPage(proof: ProofFile): Promise<{ text: string; next: unknown }> {
  const { verdict, next } = await checkLedger(NOBLE, {
    ...{ account, proof, later: [], checkpoint: made.log.checkpoint, records: made.log.records },
    keys: [{ vkey: made.key.vkey, vouched: null }],
    begun: null,
    nowMs: Date.parse('2026-11-27T00:10:00Z'),
    shownRules: null,
    before: { log: null, own: null, isPart: false },
  });
  return { text: verdict.text, next };
}

/** Runs the program in a thread: a process for each fraud takes ten times as long. */
async function byVerifier(proof: ProofFile): Promise<{ status: number; stdout: string }> {
  const file = join(folder, 'proof.json');
  writeFileSync(file, JSON.stringify(proof));
  const program = new Worker(join(folder, 'verify.mjs'), { argv: [file, '--vkey', made.key.vkey], stdout: true });
  let stdout = '';
  program.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const [status] = await once(program, 'exit');
  return { status, stdout };
}

test('an unchanged proof passes in the page and by verify.mjs', async () => {
  const { text, next } = await byPage(own);
  expect(text).toMatch(/^OK /);
  expect(next).not.toBeNull();
  expect(await byVerifier(own)).toEqual({ status: 0, stdout: `${text}\n` });
  expect(account).toBe(accountId(3));
});

test.each(FRAUDS)('a forged proof is detected: %s', async (name, proof, found) => {
  const { text, next } = await byPage(proof);
  expect(text).toMatch(found);
  // A failed check is not stored.
  expect(next).toBeNull();
  // Only the page knows whose proof it must be.
  const stdout = name === "another's whole proof" ? expect.stringMatching(/^OK /) : `${text}\n`;
  expect(await byVerifier(proof)).toEqual({ status: name === "another's whole proof" ? 0 : 1, stdout });
});
