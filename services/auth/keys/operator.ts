import { randomBytes } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { NOBODY } from '@cord/contracts/events/envelope';
import { openAuditLog } from '@cord/kit/audit-log';
import { loadConfig } from '@cord/kit/config';
import { createSeal } from '@cord/kit/seal';
import { writeWhole } from '@cord/kit/whole-file';
import type { Connection } from 'mongoose';
import { authConfig, renewableSecret } from '../config.js';
import { createSessionStore } from '../store/sessions.js';
import { createKeyStore } from '../store/signing-keys.js';
import { SIGNING_KEYS } from './key-ring.js';
import { renewSigningKey, resealSigningKeys, revokeSigningKeys } from './renewal.js';

/** The keys that `npx cord keys` renews: environment names, and the session signing keys. */
export const KEY_NAMES = ['signing', 'KEY_ENCRYPTION_KEY', 'SESSION_SECRET'] as const;
export type KeyName = (typeof KEY_NAMES)[number];

/** Why no command renews another key (README: what a leak costs). */
export const NEVER_RENEWED: Readonly<Record<string, string>> = {
  TOMBSTONE_KEY: 'can never change: erased accounts and used payment signatures would no longer be recognised',
  ADDRESS_HASH_KEY:
    'is changed by hand while the whole system is stopped. Anti-cheat then recognises no address for up to 30 days',
  DISCORD_CLIENT_SECRET: 'is renewed at Discord, then set for auth',
};

/** The command was refused; the message gives the reason. */
export class KeysRefused extends Error {}

const config = authConfig.pick({
  SESSION_SECRET: true,
  SESSION_SECRET_FILE: true,
  KEY_ENCRYPTION_KEY: true,
  KEY_ENCRYPTION_KEY_FILE: true,
});

/**
 * Renews one key, with or without running replicas of auth. `rotate` affects no user; `revoke` is for a leaked key.
 * @param given.connection to auth's database; @param given.env environment with the secrets; @param given.now the system's time, ms
 * @returns a sentence on what was done
 * @throws KeysRefused with the reason; ConfigError for invalid secrets
 */
export async function operateKeys(given: {
  verb: 'rotate' | 'revoke';
  name: KeyName;
  /** The user of the operating system, for the audit log. */
  by: string;
  connection: Connection;
  env: Record<string, string | undefined>;
  now: () => number;
}): Promise<string> {
  const { verb, name, by, connection, env, now } = given;
  const settings = loadConfig(config, env);
  const audit = openAuditLog(connection, { now });
  await audit.write({ adminId: NOBODY, action: `key.${verb}`, target: name, detail: { by } });
  if (name === 'SESSION_SECRET') return renewSessionSecret();
  const values = renewableSecret(settings, 'KEY_ENCRYPTION_KEY');
  const rest = { keys: createKeyStore(connection), seal: createSeal(values, SIGNING_KEYS), now };
  if (name === 'KEY_ENCRYPTION_KEY') {
    const renewed = await renewEncryptionKey();
    return verb === 'rotate' ? renewed : `${renewed} ${await revokeSigning()}`;
  }
  if (verb === 'revoke') return revokeSigning();
  await refuseOtherValue();
  const { kid, signsFromMs } = await renewSigningKey(rest);
  return `Signing key ${kid} is in use from ${new Date(signsFromMs).toISOString()}.`;

  /** A key sealed with another value than auth's could not be opened by any auth: nobody could sign in. */
  async function refuseOtherValue(): Promise<void> {
    for (const { sealedPrivateJwk, kid } of await rest.keys.all())
      await rest.seal.open(sealedPrivateJwk, kid).catch(() => {
        throw new KeysRefused(
          'this KEY_ENCRYPTION_KEY does not decrypt the signing keys of the system: run this command with the secrets of auth.',
        );
      });
  }

  async function revokeSigning(): Promise<string> {
    const { made, out, ended } = await revokeSigningKeys({ ...rest, sessions: createSessionStore(connection) });
    return `Signing key ${made.kid} is in use now. ${out} keys were revoked and ${ended} sessions ended. Everyone must sign in again.`;
  }

  async function renewSessionSecret(): Promise<string> {
    const file = await writableFile(settings.SESSION_SECRET_FILE);
    if (!file)
      throw readOnlySecret(
        'SESSION_SECRET',
        verb === 'rotate' ? 'set it to NEW,OLD for every auth' : 'set a new value',
      );
    const [former = ''] = renewableSecret(settings, 'SESSION_SECRET')();
    await writeValues(file, verb === 'rotate' ? [fresh(), former] : [fresh()]);
    return verb === 'rotate'
      ? 'SESSION_SECRET has a new value; the previous value is still accepted.'
      : 'SESSION_SECRET has a new value; sign-ins in progress must start again.';
  }

  /** Completes an interrupted renewal first: its file has two values. */
  async function renewEncryptionKey(): Promise<string> {
    const file = await writableFile(settings.KEY_ENCRYPTION_KEY_FILE);
    const isInterrupted = values().length > 1;
    if (!file) {
      if (!isInterrupted)
        throw readOnlySecret('KEY_ENCRYPTION_KEY', 'set it to NEW,OLD for every auth, then run this again');
      const count = await resealAll();
      return `${count} signing keys are encrypted with the new KEY_ENCRYPTION_KEY; remove the old value now.`;
    }
    let count = isInterrupted ? await finish(file) : 0;
    if (!isInterrupted || verb === 'revoke') {
      await writeValues(file, [fresh(), ...values()]);
      count += await finish(file);
    }
    return `KEY_ENCRYPTION_KEY now has only the new value; ${count} signing keys are encrypted with it.`;
  }

  async function finish(file: string): Promise<number> {
    const [first = '', former = ''] = values();
    for (let count = 0; ; ) {
      count += await resealAll();
      await writeValues(file, [first]);
      // A key that auth has sealed with the former value meanwhile.
      const late = await rest.keys.all();
      const sealed = await Promise.all(late.map((key) => rest.seal.isOfFirst(key.sealedPrivateJwk, key.kid)));
      if (sealed.every(Boolean)) return count;
      await writeValues(file, [first, former]);
    }
  }

  async function resealAll(): Promise<number> {
    for (let count = 0; ; ) {
      const more = await resealSigningKeys(rest);
      if (more === 0) return count;
      count += more;
    }
  }
}

/** Returns the file if it is writable. A deployment mounts its secrets read-only: there a file is like the environment. */
async function writableFile(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  return access(dirname(file), constants.W_OK).then(
    () => file,
    () => undefined,
  );
}

function readOnlySecret(name: string, what: string): KeysRefused {
  return new KeysRefused(
    `${name} is set in the environment or in a read-only file, which no command can change: ${what}.`,
  );
}

const fresh = (): string => randomBytes(32).toString('hex');

/** Replaces the file atomically, since auth may read it at any time. */
const writeValues = (file: string, values: readonly string[]): Promise<void> => writeWhole(file, values.join(','));
