import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newKey, world } from '../../services/contracts/proof/test/sample.js';
import { verifyProof } from '../../services/contracts/proof/verify.js';
import { NODE_PRIMITIVES } from '../../services/contracts/proof/verify-file.js';
import { HASH_FILE, verifierHash, verifierText } from './verifier.ts';
import { ROOT } from './workspaces.ts';

const folder = mkdtempSync(join(tmpdir(), 'cord-verify-'));
beforeAll(async () => writeFileSync(join(folder, 'verify.mjs'), await verifierText()));

const made = world();
const own = made.proofOf(2);
const WHOSE = `Account ${own.account}, day ${own.leaf.day}.\n`;

function verify(file: unknown, ...args: string[]) {
  writeFileSync(join(folder, 'proof.json'), typeof file === 'string' ? file : JSON.stringify(file));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['verify.mjs', 'proof.json', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('node verify.mjs, in a folder without packages', () => {
  test('prints the verdict and exits with 0 if the proof is valid', async () => {
    const { text } = await verifyProof(NODE_PRIMITIVES, own, { vkeys: [made.key.vkey] });
    expect(verify(own, '--vkey', made.key.vkey)).toEqual({ status: 0, stdout: `${text}\n`, stderr: WHOSE });
    // One matching key is enough: a file from before a rotation is signed with the old key.
    expect(verify(own, '--vkey', newKey().vkey, '--vkey', made.key.vkey)).toMatchObject({ status: 0 });
  });

  test('without a log key reports the unchecked signature and exits with 1, unless --unsigned is given', () => {
    const stdout = expect.stringMatching(/^OK .*, signature not checked\n$/);
    expect(verify(own)).toMatchObject({ status: 1, stdout, stderr: expect.stringContaining('--vkey') });
    expect(verify(own, '--unsigned')).toMatchObject({ status: 0, stdout, stderr: WHOSE });
  });

  test('exits with 1 and the first broken entry', async () => {
    const entries = own.entries.map((entry) => (entry.n === '4' ? { ...entry, reason: 'Other' } : entry));
    const stdout = 'MISMATCH entry 4: its hash is not the hash of its fields\n';
    expect(verify({ ...own, entries }, '--vkey', made.key.vkey)).toEqual({ status: 1, stdout, stderr: '' });
  });

  test('exits with 1 for another signing key, an unreadable file or an unknown option', () => {
    const printed = verify(own, '--vkey', newKey().vkey);
    expect(printed).toMatchObject({ status: 1, stdout: expect.stringContaining('MISMATCH signature') });
    expect(verify('no JSON')).toMatchObject({ status: 1, stdout: '' });
    expect(verify(own, '--key', 'x')).toMatchObject({ status: 1, stderr: expect.stringContaining("'--key'") });
  });

  test('has the hash that is in the repository: npx tsx infra/build/verifier.ts writes it', async () => {
    expect(await readFile(join(ROOT, HASH_FILE), 'utf8')).toBe(`${verifierHash(await verifierText())}\n`);
  });
});
