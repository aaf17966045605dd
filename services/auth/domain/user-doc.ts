import type { QuietHours } from '@cord/contracts/rules/notices';
import type { OutboxEvent } from '@cord/kit/outbox/items';
import type { Opened } from './devices.js';
import type { RoleSource } from './role.js';

/** How far a first sign-in has come. Amount and key are fixed when the user is made (services/mining/ledger/README.md#credit). */
export interface Onboarding {
  ledgerOpened: boolean;
  welcomeKey: string;
  /** micro-CORD. */
  welcomeMicro: bigint;
  /** `refused`: the person came back after an erasure (services/README.md#erasure). */
  welcomeState: 'pending' | 'credited' | 'refused';
  /** The code carried through sign-in. */
  referralCode: string | null;
  referralState: 'none' | 'pending' | 'done' | 'refused';
  /** Newcomer's bonus for the code, micro-CORD; null while unknown. */
  referralBonusMicro: bigint | null;
  /** When the sweeper tries what is still open; null when nothing is. */
  dueAtMs: number | null;
  tries: number;
}

/** What the welcome popup shows until it is acknowledged (services/auth/README.md#a-sign-in). */
interface Greeting {
  isNewUser: boolean;
  acknowledged: boolean;
  /** The sign-in session that it greets. */
  sessionId: string;
}

/** A user. The Discord id lives here and nowhere else. */
export interface UserDoc {
  _id: string;
  discordId: string;
  username: string;
  usernameLower: string;
  discriminator: string | null;
  avatar: string | null;
  discordCreatedAtMs: number;
  joinedAtMs: number;
  lastLoginAtMs: number;
  locale: string;
  theme: 'system' | 'dark' | 'light';
  autoStart: boolean;
  notifications: boolean;
  /** Where each kind of notice is shown, as the user chose; a kind that is not in it as by default. Absent before the first choice. */
  notices?: Record<string, string>;
  /** Browsers and systems that have signed in, as used last. */
  devices: string[];
  /** The latest sign-ins from one that was new. Absent before the first. */
  opened?: Opened[];
  /** When nothing is pushed; absent or null while it always is. */
  quietHours?: QuietHours | null;
  isAdmin: boolean;
  /** Where the role comes from; null without one. */
  roleFrom: RoleSource | null;
  /** When the account became an admin last, ms; absent where it never did since it was registered: then `joinedAtMs`. */
  adminSinceMs?: number;
  /** Two-factor authentication was on at Discord at the last sign-in. */
  secondFactor: boolean;
  /** An admin took the role from a user who is in ADMIN_DISCORD_IDS, or the user came back after an erasure; absent until the role was decided once. */
  configDenied?: boolean;
  /** Came back after an erasure: one-time rewards do not come again. */
  returning: boolean;
  onboarding: Onboarding;
  greeting: Greeting;
  /** Version of this document: the seq of its events. */
  seq: number;
  outbox: OutboxEvent[];
  dirtyAt?: number;
}
