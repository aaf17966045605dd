import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DISCORD_EPOCH_MS, snowflakeFromMs, snowflakeToMs } from '@cord/contracts/rules/age';
import { YEAR_MS } from '@cord/contracts/rules/tiers';
import { writeWhole } from '@cord/kit/whole-file';
import { z } from 'zod';

const LOW_BITS = 22n;
const ACCOUNTS_MAX = 200_000;

export interface Account {
  id: string;
  username: string;
  globalName: string | null;
  avatar: string | null;
  /** Two-factor authentication; on when absent. */
  secondFactor?: boolean;
}

/** The initial accounts, one for each tier, by age in years. */
const READY: readonly { username: string; globalName: string; ageYears: number }[] = [
  { username: 'nova', globalName: 'Nova', ageYears: 0.3 },
  { username: 'pixel.fox', globalName: 'Pixel Fox', ageYears: 1.4 },
  { username: 'marlow', globalName: 'Marlow', ageYears: 2.6 },
  { username: 'juniper', globalName: 'Juniper', ageYears: 3.5 },
  { username: 'oakley_', globalName: 'Oakley', ageYears: 4.5 },
  { username: 'tamsin', globalName: 'Tamsin', ageYears: 5.7 },
  { username: 'gravitas', globalName: 'Gravitas', ageYears: 6.2 },
  { username: 'old.salt', globalName: 'Old Salt', ageYears: 7.9 },
  { username: 'first_light', globalName: 'First Light', ageYears: 9.4 },
];

const name = z
  .string()
  .trim()
  .min(1)
  .max(32)
  .refine((text) => !/\p{Cc}/u.test(text), 'must have no control characters');

/** The body of POST /dev/discord/accounts. */
export const newAccount = z.strictObject({
  username: name,
  globalName: name.nullish(),
  /** ISO time or date; defaults to the clock's now. */
  createdAt: z
    .string()
    .refine((text) => !Number.isNaN(Date.parse(text)), 'must be a time in ISO 8601')
    .nullish(),
  /** A hash of a picture as in Discord (any name), or the picture itself as a data: URL. */
  avatar: z
    .string()
    .regex(/^([A-Za-z0-9_]{1,64}|data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]{1,40000}={0,2})$/)
    .nullish(),
  /** Two-factor authentication; on by default. */
  secondFactor: z.boolean().nullish(),
});
export type NewAccount = z.output<typeof newAccount>;

/** The accounts of the stand-in, kept in <data>/discord.json. */
export class Accounts {
  readonly #byId: Map<string, Account>;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  private constructor(
    readonly file: string,
    accounts: Account[],
  ) {
    this.#byId = new Map(accounts.map((account) => [account.id, account]));
  }

  /** Opens the file; the first start fills it with one account of each tier. */
  static async open(dataDir: string, nowMs: number): Promise<Accounts> {
    const file = join(dataDir, 'discord.json');
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined) return new Accounts(file, (JSON.parse(text) as { accounts: Account[] }).accounts);
    const accounts = new Accounts(file, []);
    for (const { ageYears, username, globalName } of READY) {
      const createdAt = new Date(nowMs - ageYears * YEAR_MS).toISOString();
      const avatar = ageYears > 2 ? createHash('md5').update(username).digest('hex') : null;
      await accounts.create({ username, globalName, createdAt, avatar }, nowMs);
    }
    return accounts;
  }

  /** Newest first. */
  list(): Account[] {
    return [...this.#byId.values()].reverse();
  }

  find(id: string): Account | undefined {
    return this.#byId.get(id);
  }

  /**
   * Creates an account whose id is a snowflake of its date.
   * @throws RangeError for a date before Discord or in the future, or when there are too many accounts
   */
  async create({ username, globalName, createdAt, avatar, secondFactor }: NewAccount, nowMs: number): Promise<Account> {
    const createdAtMs = createdAt ? Date.parse(createdAt) : nowMs;
    if (createdAtMs < DISCORD_EPOCH_MS) throw new RangeError('createdAt: Discord began on 2015-01-01');
    if (createdAtMs > nowMs) throw new RangeError('createdAt: is in the future');
    if (this.#byId.size >= ACCOUNTS_MAX) throw new RangeError(`there are ${ACCOUNTS_MAX} accounts already`);
    const id = this.#freeId(createdAtMs);
    const account = {
      id,
      username,
      globalName: globalName ?? null,
      avatar: avatar ?? null,
      secondFactor: secondFactor ?? true,
    };
    this.#byId.set(id, account);
    await this.#save();
    return account;
  }

  #freeId(createdAtMs: number): string {
    for (;;) {
      const low = BigInt(`0x${randomBytes(3).toString('hex')}`) & ((1n << LOW_BITS) - 1n);
      const id = snowflakeFromMs(createdAtMs, low);
      if (!this.#byId.has(id)) return id;
    }
  }

  /** Serialises writes; changes made during a write share the next one. */
  #save(): Promise<void> {
    this.#next ??= this.#writing
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        this.#writing = writeWhole(this.file, `${JSON.stringify({ accounts: [...this.#byId.values()] })}\n`);
        return this.#writing;
      });
    return this.#next;
  }
}

/** Creation time of the account, in ms since epoch. */
export function createdAtMs(account: Pick<Account, 'id'>): number {
  return snowflakeToMs(account.id);
}
