import type { QuietHours } from '@cord/contracts/rules/notices';
import type { OutboxEvent } from '@cord/kit/outbox/items';
import type { Opened } from './devices.js';
import type { RoleSource } from './role.js';

/** Progress of a first sign-in. Amount and key are fixed when the user is created (services/mining/ledger/README.md#credit). */
export interface Onboarding {
  ledgerOpened: boolean;
  welcomeKey: string;
  /** micro-CORD. */
  welcomeMicro: bigint;
  /** `refused`: the person returned after an erasure (services/README.md#erasure). */
  welcomeState: 'pending' | 'credited' | 'refused';
  /** The code carried through sign-in. */
  referralCode: string | null;
  referralState: 'none' | 'pending' | 'done' | 'refused';
  /** Newcomer's bonus for the code, micro-CORD; null while unknown. */
  referralBonusMicro: bigint | null;
  /** When the sweeper resumes open steps, ms; null when none is open. */
  dueAtMs: number | null;
  tries: number;
}

/** State of the welcome popup until it is acknowledged (services/auth/README.md#a-sign-in). */
interface Greeting {
  isNewUser: boolean;
  acknowledged: boolean;
  /** The sign-in session in which it is shown. */
  sessionId: string;
}

/** A user. The Discord id is stored only here. */
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
  /** The user's choice of where each kind of notice is shown; the default for missing kinds. Absent before the first choice. */
  notices?: Record<string, string>;
  /** Known browsers and systems, most recently used last. */
  devices: string[];
  /** The latest sign-ins from new devices. Absent before the first. */
  opened?: Opened[];
  /** The time of day without push; absent or null for none. */
  quietHours?: QuietHours | null;
  isAdmin: boolean;
  /** Source of the role; null without one. */
  roleFrom: RoleSource | null;
  /** When the account last became an admin, ms; absent if never since it was registered: then `joinedAtMs`. */
  adminSinceMs?: number;
  /** Whether two-factor authentication was on at Discord at the last sign-in. */
  secondFactor: boolean;
  /** Whether an admin removed the role of a listed user, or the user returned after an erasure; absent before the first decision. */
  configDenied?: boolean;
  /** Whether the user returned after an erasure: one-time rewards are not repeated. */
  returning: boolean;
  onboarding: Onboarding;
  greeting: Greeting;
  /** Version of this document, and seq of its events. */
  seq: number;
  outbox: OutboxEvent[];
  dirtyAt?: number;
}
