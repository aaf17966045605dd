import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { decodeProtectedHeader } from 'jose';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLISHED_AHEAD_MS } from '../domain/signing-keys.js';
import { SECRETS, startAuth } from '../test/auth.js';
import type { Browser } from '../test/browser.js';
import { type KeyName, KeysRefused, operateKeys } from './operator.js';

const folder = mkdtempSync(join(tmpdir(), 'cord-keys-'));
/** Of the kernel: 36 characters. */
const READ_ONLY = '/proc/sys/kernel/random/boot_id';
const fileOf = (name: keyof typeof SECRETS) => join(folder, name);
const env = {
  SESSION_SECRET: '',
  SESSION_SECRET_FILE: fileOf('SESSION_SECRET'),
  KEY_ENCRYPTION_KEY: '',
  KEY_ENCRYPTION_KEY_FILE: fileOf('KEY_ENCRYPTION_KEY'),
};

for (const name of ['SESSION_SECRET', 'KEY_ENCRYPTION_KEY'] as const) writeFileSync(fileOf(name), SECRETS[name]);
const auth = forAllTests(() => startAuth({ env }));
let account: string;
let connection: Connection;
beforeAll(async () => {
  connection = await auth.backend.storeOf('auth');
  account = await auth.discord.account({ username: 'rowan', createdAt: '2020-01-01' });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

const operate = (verb: 'rotate' | 'revoke', name: KeyName, given: Record<string, string> = env) =>
  operateKeys({ verb, name, by: 'ann', connection, env: given, now: () => auth.clock.now() });
/** Which acts on keys the audit log has, and by whom. */
const audited = async () =>
  (
    await connection
      .collection('audit')
      .find({ action: /^key\./ })
      .toArray()
  ).map(({ action, target, detail }) => [action, target, detail.by]);
const isIn = async (browser: Browser) => (await browser.get('/api/auth/me')).status === 200;
const kidOf = (browser: Browser) => decodeProtectedHeader(browser.cookies.get('cord') ?? '').kid;

async function signedIn(): Promise<Browser> {
  const browser = auth.browser();
  expect(await browser.signIn({ account })).toMatch(/welcome=/);
  return browser;
}

/** Sign-ins one after the other, of which one has begun and waits at Discord, from before the work until after it. */
async function underLoad(work: () => Promise<unknown>): Promise<void> {
  const held = await signedIn();
  const waiting = auth.browser();
  const callback = await waiting.toCallback({ account });
  let over = false;
  let signIns = 0;
  const load = (async () => {
    for (let more = 1; more > 0; more = over ? more - 1 : more) {
      expect(await isIn(await signedIn())).toBe(true);
      signIns += 1;
    }
  })();
  await work();
  over = true;
  await load;
  expect(signIns).toBeGreaterThan(0);
  expect((await waiting.get(callback)).headers.get('location')).toMatch(/welcome=/);
  expect([await isIn(held), await isIn(waiting)]).toEqual([true, true]);
}

describe('rotation of a key while people sign in', () => {
  it.each(['signing', 'KEY_ENCRYPTION_KEY', 'SESSION_SECRET'] as const)('fails no sign-in (%s)', async (name) => {
    await underLoad(() => operate('rotate', name));
  });

  it('takes effect: after a restart, auth runs with the new values alone', async () => {
    const values = readFileSync(fileOf('KEY_ENCRYPTION_KEY'), 'utf8');
    expect(values).toMatch(/^[0-9a-f]{64}$/);
    expect(readFileSync(fileOf('SESSION_SECRET'), 'utf8')).toBe(
      `${readFileSync(fileOf('SESSION_SECRET'), 'utf8').split(',')[0]},${SECRETS.SESSION_SECRET}`,
    );
    const before = await signedIn();
    await auth.restart();
    auth.clock.advance(PUBLISHED_AHEAD_MS);
    const after = auth.browser();
    after.cookies.set('cord', before.cookies.get('cord') ?? '');
    expect(await isIn(after)).toBe(true);
    await expect.poll(async () => kidOf(await signedIn())).not.toBe(kidOf(before));
  });

  it('resumes after an interruption', async () => {
    const old = readFileSync(fileOf('KEY_ENCRYPTION_KEY'), 'utf8');
    const fresh = 'f'.repeat(64);
    writeFileSync(fileOf('KEY_ENCRYPTION_KEY'), `${fresh},${old}`);
    expect(await operate('rotate', 'KEY_ENCRYPTION_KEY')).toContain('2 signing keys are encrypted');
    expect(readFileSync(fileOf('KEY_ENCRYPTION_KEY'), 'utf8')).toBe(fresh);
    await auth.restart();
    expect(await isIn(await signedIn())).toBe(true);
  });
});

describe('revocation of a leaked key', () => {
  it.each(['signing', 'KEY_ENCRYPTION_KEY'] as const)(
    'lets a new key sign, and everybody must sign in again (%s)',
    async (name) => {
      const before = await signedIn();
      await operate('revoke', name);
      await expect.poll(() => isIn(before)).toBe(false);
      await expect.poll(async () => isIn(await signedIn())).toBe(true);
      expect(kidOf(await signedIn())).not.toBe(kidOf(before));
      expect(await connection.collection('signing_keys').countDocuments()).toBe(1);
    },
  );

  it('of SESSION_SECRET restarts a sign-in under way and keeps sessions', async () => {
    const held = await signedIn();
    const waiting = auth.browser();
    const callback = await waiting.toCallback({ account });
    await operate('revoke', 'SESSION_SECRET');
    expect((await waiting.get(callback)).headers.get('location')).toContain('auth_error=state');
    expect(await isIn(held)).toBe(true);
    expect(await audited()).toContainEqual(['key.revoke', 'SESSION_SECRET', 'ann']);
  });
});

describe('keys in the environment', () => {
  it('a signing key is not rotated under another KEY_ENCRYPTION_KEY, which auth could not open', async () => {
    const count = () => connection.collection('signing_keys').countDocuments();
    const before = await count();
    const other = { ...SECRETS, KEY_ENCRYPTION_KEY: 'f'.repeat(64) };
    await expect(operate('rotate', 'signing', other)).rejects.toThrow(KeysRefused);
    expect(await count()).toBe(before);
  });

  it('are not rotated by the command, which prints what to do; with two values, signing keys are sealed again', async () => {
    await expect(operate('rotate', 'SESSION_SECRET', SECRETS)).rejects.toThrow(/NEW,OLD/);
    await expect(operate('rotate', 'KEY_ENCRYPTION_KEY', SECRETS)).rejects.toThrow(KeysRefused);
    const old = readFileSync(fileOf('KEY_ENCRYPTION_KEY'), 'utf8');
    const fresh = 'e'.repeat(64);
    const both = { ...SECRETS, KEY_ENCRYPTION_KEY: `${fresh},${old}` };
    expect(await operate('rotate', 'KEY_ENCRYPTION_KEY', both)).toContain('remove the old value');
    writeFileSync(fileOf('KEY_ENCRYPTION_KEY'), fresh);
    await auth.restart();
    expect(await isIn(await signedIn())).toBe(true);
  });

  // As a deployment mounts its secrets; here a folder that not even root writes to.
  it.skipIf(!existsSync(READ_ONLY))('in a read-only file are neither rotated nor revoked', async () => {
    const mounted = { ...env, SESSION_SECRET_FILE: READ_ONLY, KEY_ENCRYPTION_KEY_FILE: READ_ONLY };
    for (const name of ['SESSION_SECRET', 'KEY_ENCRYPTION_KEY'] as const)
      for (const verb of ['rotate', 'revoke'] as const)
        await expect(operate(verb, name, mounted), `${verb} ${name}`).rejects.toThrow(KeysRefused);
  });

  it.each(['short', `${'a'.repeat(32)},short`, [1, 2, 3].map(() => 'a'.repeat(32)).join()])(
    'the value %s is rejected, naming the variable',
    async (values) => {
      const replica = auth.replica({ env: { KEY_ENCRYPTION_KEY: values, KEY_ENCRYPTION_KEY_FILE: '' } });
      await expect(replica).rejects.toThrow(/KEY_ENCRYPTION_KEY/);
    },
  );
});
