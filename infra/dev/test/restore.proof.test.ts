import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { advance } from '../../test/kit/clock.ts';
import { audit, deadLetters } from '../../test/kit/cord.ts';
import { call, signIn, signInAgain } from '../../test/kit/people.ts';
import { isAlive, type System, startSystem } from '../../test/kit/system.ts';
import { Books } from '../../test/proofs/life/books.ts';
import { valuesOf } from '../backup/bson.ts';
import { Backup } from '../backup/read.ts';
import { ROOT } from '../starter/paths.mjs';

const NAMES = ['ada', 'ben', 'cleo', 'dan', 'eve', 'fay'];
/** Number of people who mine meanwhile. */
const MINING = 3;
const OLDER_THAN_ROOT = /^account \w+: it has \d+ entries, the root of [\d-]+ has \d+$/;

interface Person {
  id: string;
  accountId: string;
  token: string;
  username: string;
  origin: string;
}

/** A user's balance (micro-CORD) and seq in the ledger. */
type Sum = { balanceMicro: bigint; seq: bigint };

describe('a backup of a running system', () => {
  let folder: string;
  let file: string;
  let list: string;
  /** The latest checkpoint of the root log that users saw. */
  let seen: string;
  let system: System;
  let people: Person[] = [];
  /** Each account in the file, by user. */
  const filed = new Map<string, Sum>();
  const filedEntries = new Map<string, bigint>();
  /** Users in the file, also without an account: auth stores a newcomer some ms before the ledger. */
  const filedUsers = new Set<string>();

  const dataArgs = (...args: string[]): string[] => [
    ...['infra/cli/cord.mjs', 'data', ...args, '--data', system.dataDir],
    ...['--passphrase-file', join(folder, 'pass')],
  ];
  const data = async (...args: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, dataArgs(...args), { cwd: ROOT });
    return stdout;
  };
  /** Kills an import with -9 once it prints this line; a store that it started ends with it. */
  const killImportAt = async (line: RegExp): Promise<void> => {
    const importing = spawn(process.execPath, dataArgs('import', file, '--yes'), {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = importing.pid as number;
    let printed = '';
    // The output stays open: otherwise the import would end at the next line that it prints.
    for await (const chunk of importing.stdout.iterator({ destroyOnReturn: false })) {
      printed += chunk;
      if (line.test(printed)) break;
    }
    expect(printed).toMatch(line);
    const store = Number(await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'));
    expect(store).toBeGreaterThan(0);
    expect(isAlive(store)).toBe(true);
    importing.kill('SIGKILL');
    await expect.poll(() => isAlive(store), { timeout: 60_000 }).toBe(false);
  };
  const request = (person: Person, method: string, path: string, body?: object) => call(person, method, path, body);
  const balanceOf = async (person: Person): Promise<number> =>
    ((await request(person, 'GET', '/auth/me')) as { user: { total_earned: number } }).user.total_earned;
  const onBoard = async (person: Person): Promise<number | undefined> =>
    ((await request(person, 'GET', '/leaderboard/me')) as { entry: { total_earned: number } | null }).entry
      ?.total_earned;
  const stored = async (): Promise<{ sums: Map<string, Sum>; entries: Map<string, bigint>; audited: string }> => {
    const books = await Books.open(system);
    try {
      const byUser = (await books.read()) as unknown as Map<
        string,
        { account: Sum; entries: { _id: string; amountMicro: bigint }[] }
      >;
      const entries = [...byUser.values()].flatMap((own) => own.entries);
      return {
        sums: new Map([...byUser].map(([id, { account }]) => [id, account])),
        entries: new Map(entries.map(({ _id, amountMicro }) => [_id, amountMicro])),
        audited: await audit(system.dataDir),
      };
    } finally {
      await books.close();
    }
  };
  const everybodySignsIn = async (): Promise<void> => {
    people = await Promise.all(
      people.map(async (person) => ({ ...person, ...(await signInAgain(system.origin, person.accountId)) })),
    );
  };
  /** Gives everybody a daily check-in, and waits until ledger, record and board show it. */
  const everybodyEarns = async (): Promise<void> => {
    await advance(system.origin, '25h');
    for (const person of people) {
      // A new user has no balance for a moment.
      await expect.poll(() => balanceOf(person), { timeout: 60_000 }).not.toBeNull();
      const before = await balanceOf(person);
      await request(person, 'POST', '/daily-checkin/perform', { userId: person.id });
      await expect.poll(() => balanceOf(person), { timeout: 60_000 }).toBeGreaterThan(before);
      const now = await balanceOf(person);
      await expect.poll(() => onBoard(person), { timeout: 60_000 }).toBeGreaterThanOrEqual(now);
    }
  };
  /** Newcomers whose check-in was in transit when the file was made: each import credits it again, at another time. */
  const onTheirWay = (): Set<string> => {
    const keys = [...filedEntries.keys()];
    return new Set([...filedUsers].filter((id) => !keys.some((key) => key.startsWith(`checkin:${id}:`))));
  };
  /**
   * Checks the audit. The root log is never set back, so the audit names each account that is older than the last root
   * or was credited at another time: those with earnings since the file, and those in transit.
   */
  const expectAudited = (audited: string, olderThanRoot: number): void => {
    const named = [...audited.matchAll(/^account (\w+): .+$/gm)];
    const waited = onTheirWay();
    const others = named.flatMap(([line, id = '']) => (waited.has(id) ? [] : [line]));
    expect(others.filter((line) => !OLDER_THAN_ROOT.test(line))).toEqual([]);
    expect(others, audited).toHaveLength(olderThanRoot);
    expect(audited).toContain(`RESULT drift_micro=${named.length} accounts=`);
  };
  /** Checks that balances equal the file's to the micro-CORD, except for later earnings. */
  const expectTheFile = async (olderThanRoot: number): Promise<void> => {
    const { sums, entries, audited } = await stored();
    expectAudited(audited, olderThanRoot);
    expect([...filed.keys()].filter((id) => !sums.has(id))).toEqual([]);
    expect([...sums.keys()].filter((id) => !filed.has(id) && !filedUsers.has(id))).toEqual([]);
    for (const [key, amountMicro] of filedEntries) expect(entries.get(key), key).toBe(amountMicro);
    for (const [id, { seq, balanceMicro }] of filed) {
      const now = sums.get(id);
      if (now?.seq === seq) expect(now.balanceMicro, id).toBe(balanceMicro);
      else expect(now?.balanceMicro, id).toBeGreaterThanOrEqual(balanceMicro);
    }
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cord-restore-'));
    [file, list, seen] = [join(folder, 'backup.tar'), join(folder, 'erased.tar'), join(folder, 'checkpoint')];
    await writeFile(join(folder, 'pass'), 'correct horse battery\n');
    system = await startSystem();
  });
  afterAll(async () => {
    await system?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('is made under load and is consistent at one instant', async () => {
    for (const [n, username] of NAMES.entries()) people.push(await signIn(system.origin, { years: 1 + n, username }));
    await everybodyEarns();
    const checkpoint = () => fetch(`${system.origin}/api/log/checkpoint`);
    await expect.poll(async () => (await checkpoint()).status, { timeout: 60_000 }).toBe(200);
    await writeFile(seen, await (await checkpoint()).text());
    for (const person of people.slice(0, MINING)) await request(person, 'POST', `/users/${person.id}/mining/start`, {});
    let isOver = false;
    let saves = 0;
    // Reading the running session settles its earnings, as a save does.
    const load = people.slice(0, MINING).map(async (person) => {
      for (; !isOver; saves += 1) await request(person, 'GET', `/users/${person.id}/mining/current`);
    });
    const newcomers = (async () => {
      for (let n = 0; !isOver; n += 1) {
        const username = `new${n}`;
        const one = await signIn(system.origin, { years: 1, username });
        await request(one, 'POST', '/daily-checkin/perform', { userId: one.id });
      }
    })();
    await sleep(2_000);
    const output = await data('export', file, '--with-secrets');
    isOver = true;
    await Promise.all([...load, newcomers]);
    expect(output).toMatch(/exported \d+ accounts of .*one copy of the embedded store/);
    expect(saves).toBeGreaterThan(3);
    const read = await Backup.open(file);
    for await (const bytes of read.documents('mining', 'accounts')) {
      const { _id, seq, balanceMicro } = valuesOf(bytes);
      filed.set(_id, { seq, balanceMicro });
    }
    for await (const bytes of read.documents('mining', 'entries')) {
      const { _id, amountMicro } = valuesOf(bytes);
      filedEntries.set(_id, amountMicro);
    }
    for await (const bytes of read.documents('auth', 'users')) filedUsers.add(valuesOf(bytes)._id);
    await read.close();
    expect(filed.size).toBeGreaterThan(NAMES.length);
    expect([...filed.keys()].filter((id) => !filedUsers.has(id))).toEqual([]);
    await system.stop();
  });

  test('restores into an empty running system: same balances, and everyone continues', async () => {
    system = await startSystem();
    const stranger = await signIn(system.origin, { years: 1, username: 'stranger' });
    const output = await data('import', file, '--yes');
    expect(output).toMatch(/RESULT drift_micro=0 accounts=\d+/);
    expect(output).toMatch(/everyone must sign in again/);
    await expectTheFile(0);
    people = people.map((person) => ({ ...person, origin: system.origin }));
    for (const person of [...people, stranger])
      await expect(request(person, 'GET', '/auth/me')).rejects.toMatchObject({ status: 401 });
    const before = people.map(({ id }) => id);
    await everybodySignsIn();
    expect(people.map(({ id }) => id)).toEqual(before);
    // Its root log continues once a person has confirmed it.
    const goOn = ['infra/cli/cord.mjs', 'log', 'continue', '--checkpoint', seen, '--data', system.dataDir];
    await promisify(execFile)(process.execPath, goOn, { cwd: ROOT });
    await everybodyEarns();
  });

  test('of yesterday replaces later data: boards follow, erased users stay erased', async () => {
    for (let day = 0; day < 2; day += 1) await everybodyEarns();
    await everybodySignsIn();
    const gone = people.pop() as Person;
    await request(gone, 'DELETE', `/users/${gone.id}`, { confirm: gone.username });
    await data('export', list, '--erasures-only');
    const high = (await Promise.all(people.map(onBoard))) as number[];
    expect(await data('import', file, '--yes')).toMatch(/, 1 users erased again/);
    await expectTheFile(people.length);
    await everybodySignsIn();
    // The streams were refilled before the import was done, so the board shows the file, with lower seqs.
    for (const [n, person] of people.entries()) {
      await expect.poll(() => onBoard(person), { timeout: 60_000 }).toBeLessThan(high[n] as number);
      if (n >= MINING) expect(await onBoard(person)).toBe(await balanceOf(person));
    }
    await everybodyEarns();
    const returned = await signInAgain(system.origin, gone.accountId);
    expect(returned.id).not.toBe(gone.id);
    const books = await Books.open(system);
    const account = books.accounts();
    await expect
      .poll(async () => (await account.findOne({ _id: gone.id }))?.erasedAtMs, { timeout: 60_000 })
      .not.toBeNull();
    await books.close();
    expect(await deadLetters(system.dataDir)).toBe('0 dead letters');
    expectAudited(await audit(system.dataDir), people.length);
  });

  test('restores into a stopped system; after a kill midway nothing starts until it is repeated', async () => {
    await system.halt();
    await killImportAt(/auth is loaded/);
    const where = { dataDir: system.dataDir };
    await expect(startSystem([], where)).rejects.toThrow('an import is incomplete');
    await expect(data('export', list)).rejects.toThrow('an import is incomplete');
    expect(await data('import', file, '--yes')).toMatch(/RESULT drift_micro=0 accounts=\d+/);
    system = await startSystem([], where);
    await expectTheFile(people.length);
    people = people.map((person) => ({ ...person, origin: system.origin }));
    const before = people.map(({ id }) => id);
    await everybodySignsIn();
    expect(people.map(({ id }) => id)).toEqual(before);
    // The old streams are gone, so consumers receive every balance again.
    await everybodyEarns();
    expect(await deadLetters(system.dataDir)).toBe('0 dead letters');
    expectAudited(await audit(system.dataDir), people.length);
  });
});
