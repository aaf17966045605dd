import { keptFrom } from '@cord/contracts/proof/memos';
import { FIRST_BOOKS } from '@cord/contracts/rules/rule-book';
import { describe, expect, test } from 'vitest';
import type { AccountDoc, EntryDoc } from '../../services/mining/store/collections.js';
import { auditUsers, sumsOf } from './audit.js';
import { type Finding, Found } from './findings.js';
import { EntryRules } from './ledger/entry-rules.js';
import { rulesOf } from './ledger/rates.js';
import { Chain } from './payments/chain.js';
import { cyclesIn, cycleText } from './referrals/cycles.js';
import { checkFriend } from './referrals/friend.js';
import type { BooksSource, UserBooks } from './store/source.js';
import { alwaysOn } from './test/always-on.js';
import { sealedAll } from './test/sealed.js';

const user = 'a'.repeat(32);
const START_MS = Date.UTC(2026, 0, 5);
const DAY_MS = 86_400_000;
const CORD = 1_000_000n;

const entry = (seq: bigint, amountMicro: bigint, balanceMicro: bigint, source = 'task') =>
  ({ _id: `${source}:${user}:${seq}`, userId: user, seq, source, amountMicro, balanceMicro }) as EntryDoc;

const account = (balanceMicro: bigint, bySource: Record<string, bigint>, open = 0n, outbox: unknown[] = [], seq = 9n) =>
  ({
    _id: user,
    seq,
    balanceMicro,
    totals: { bySource },
    open: { amountMicro: open },
    erasedAtMs: null,
    outbox,
  }) as unknown as AccountDoc;

/** Returns the faults of an account with a chain of these entries, some of them in the outbox. */
function sumsOfSealed(own: AccountDoc, written: readonly EntryDoc[]): string[] {
  const twins = new Map(written.map((each) => [each.seq, each]));
  const waits = own.outbox.flatMap((item) => (item.kind === 'entry' ? [{ ...item.entry, _id: item.key }] : []));
  const all = [...written, ...waits.filter(({ seq }) => !twins.has(seq))].sort((a, b) => (a.seq < b.seq ? -1 : 1));
  const { entries } = sealedAll(user, all);
  const { chain } = sealedAll(
    user,
    all.filter(({ seq }) => seq <= own.seq),
  );
  const sealed = new Map(entries.map((each) => [each.seq, each]));
  const outbox = own.outbox.map((item) =>
    item.kind === 'entry' ? { ...item, entry: { ...item.entry, ...pick(sealed.get(item.seq)) } } : item,
  );
  return sumsOf(
    { ...own, chain, outbox },
    entries.filter(({ seq }) => twins.has(seq)),
  );
}

const pick = (entry: EntryDoc | undefined) => ({
  n: entry?.n ?? 0,
  hash: entry?.hash ?? '',
  facts: entry?.facts ?? '',
});

const waiting = ({ _id, ...rest }: EntryDoc) => ({
  kind: 'entry',
  key: _id,
  seq: rest.seq,
  entry: { ...rest, key: _id },
});

describe('an account is consistent', () => {
  test('if entries, pending entries of the outbox and open amounts add up', () => {
    const written = [entry(2n, 5n, 5n), entry(4n, 7n, 12n, 'mining')];
    const outbox = [waiting(entry(4n, 7n, 12n, 'mining')), waiting(entry(6n, 1n, 13n))];
    expect(sumsOfSealed(account(16n, { task: 6n, mining: 10n }, 3n, outbox), written)).toEqual([]);
  });

  test('with commission that is open beside mining', () => {
    const written = [entry(2n, 5n, 5n), entry(4n, 7n, 12n, 'commission')];
    const openCommission = { sinceMs: 1, amountMicro: 2n };
    const own = { ...account(17n, { task: 5n, commission: 9n, mining: 3n }, 3n), openCommission };
    expect(sumsOfSealed(own, written)).toEqual([]);
  });
});

describe('the findings of an account', () => {
  const task = entry(2n, 5n, 5n);
  test.each([
    ['a micro that is missing', account(6n, { task: 5n }), [task], ['balance 6, entries and open sum to 5']],
    [
      'the entry after one that was lost',
      account(12n, { task: 12n }),
      [entry(4n, 7n, 12n)],
      [
        `entry task:${user}:4 (seq 4): balance after it is 12`,
        'balance 12, entries and open sum to 7',
        'the total of task',
      ],
    ],
    ['a total of a source', account(5n, { task: 4n }), [task], ['the total of task is 4, expected 5']],
    [
      'an entry above the account',
      account(5n, { task: 5n }),
      [task, entry(10n, 9n, 14n)],
      ['behind its entry of seq 10'],
    ],
    [
      'an outbox that holds something else under a seq',
      account(5n, { task: 5n }, 0n, [waiting(entry(2n, 6n, 6n))]),
      [task],
      ['the outbox has'],
    ],
  ])('name %s', (_, own, written, found) => {
    const lines = sumsOfSealed(own, written);
    expect(lines).toHaveLength(found.length);
    for (const [n, text] of found.entries()) expect(lines[n]).toContain(text);
  });
});

describe('the chain of an account', () => {
  const made = [entry(2n, 5n, 5n), entry(4n, 7n, 12n, 'correction'), entry(6n, 1n, 13n)].map((each) => ({
    ...each,
    atMs: START_MS,
    reason: 'Because',
  }));
  const { entries, chain } = sealedAll(user, made);
  const own = { ...account(13n, { task: 6n, correction: 7n }), chain };
  const changed = (n: number, fields: Partial<EntryDoc>) =>
    entries.map((each) => (each.n === n ? { ...each, ...fields } : each));

  test('has no finding when intact', () => expect(sumsOf(own, entries)).toEqual([]));

  test.each([
    ['another reason', 2, { reason: 'Other' }, 'its hash is not the hash of its fields'],
    ['another time', 2, { atMs: 1 }, 'its hash is not the hash of its fields'],
    ['half of a surrogate pair', 2, { reason: '\ud800' }, 'its hash is not the hash of its fields'],
    ['another number', 2, { n: 3 }, 'its number is 3, expected 2'],
    ['facts that no mining has', 1, { facts: '1 60000000 0' }, 'does not match its facts 1 60000000 0'],
  ])('has a finding for the entry with %s', (_, n, fields, what) => {
    const lines = sumsOf(own, changed(n, fields));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`(seq ${n * 2}): `);
    expect(lines[0]).toContain(what);
  });

  test('must end at the head of the account', () => {
    expect(sumsOf({ ...own, chain: { ...chain, head: 'x' } }, entries).join()).toContain('the head of its chain');
    expect(sumsOf({ ...own, chain: { ...chain, n: 4 } }, entries).join()).toContain(
      'its chain has 4 entries, 3 were found',
    );
    const { chain: _, ...without } = own;
    expect(sumsOf(without as AccountDoc, entries).join()).toContain('its chain has undefined entries');
  });

  test('continues over an emptied correction text of an erased user, and over no other change', () => {
    const erased = { ...own, erasedAtMs: START_MS };
    expect(sumsOf(erased, changed(2, { reason: '' }))).toEqual([]);
    expect(sumsOf(own, changed(2, { reason: '' }))).toHaveLength(1);
    expect(sumsOf(erased, changed(1, { reason: '' }))).toHaveLength(1);
    expect(sumsOf(erased, changed(2, { reason: '', amountMicro: 8n }))).toHaveLength(3);
  });
});

describe('the rules of an entry', () => {
  const rules = () =>
    new EntryRules({ factors: { discordCreatedAtMs: 0 }, openedAtMs: START_MS } as never, FIRST_BOOKS);
  const made = (_id: string, amountMicro: bigint, atMs = START_MS) =>
    ({ _id, userId: user, seq: 5n, source: _id.split(':')[0], amountMicro, atMs }) as EntryDoc;
  const checkin = (day: string, cord: bigint) => made(`checkin:${user}:${day}`, cord * CORD, Date.parse(day));

  test('let a streak start, grow, restart, and continue over excused days', () => {
    const own = rules();
    for (const [day, cord] of [
      ['2026-01-05', 55n],
      ['2026-01-06', 60n],
      ['2026-01-09', 55n],
      ['2026-01-12', 60n],
    ] as const)
      expect(own.wrong(checkin(day, cord)), day).toBeNull();
  });

  test.each([
    ['an amount that no streak gives', [checkin('2026-01-05', 9_999n)], 'an amount for no streak|more than'],
    ['a first check-in of a long streak', [checkin('2026-01-05', 60n)], 'the first check-in pays a streak of 2'],
    ['a streak that jumps', [checkin('2026-01-05', 55n), checkin('2026-01-06', 65n)], 'it pays a streak of 3'],
    ['a streak that stands still', [checkin('2026-01-05', 55n), checkin('2026-01-06', 55n)], 'it pays a streak of 1'],
    ['a day twice', [checkin('2026-01-06', 55n), checkin('2026-01-05', 60n)], 'it comes after the check-in of'],
    ['a day before the entry', [made(`checkin:${user}:2026-01-09`, 55n * CORD)], 'its key has 2026-01-09'],
    ['a week to come', [made(`task:weekly:${user}:2026-W03`, CORD)], 'its key has 2026-W03'],
    ['too many claims', [made(`task:daily:${user}:9`, CORD)], 'it is claim 9, the account can have 3 at most'],
    ['nothing', [made(`task:a:${user}:once`, 0n)], 'it pays 0'],
    ['a seq that is not its own', [made(`mining:${user}:7`, CORD)], 'its key has seq 7, the entry 5'],
    ['a commission of an earlier seq', [made(`commission:${user}:4`, CORD)], 'its key has seq 4, the entry 5'],
    ['part of a CORD', [made(`welcome:${user}`, 100n * CORD + 1n)], 'an amount for no account age'],
  ])('refuse %s', (_, entries, found) => {
    const own = rules();
    expect(entries.map((each) => own.wrong(each)).at(-1)).toMatch(new RegExp(found));
  });

  test('require a newcomer’s bonus of a tenth of their own welcome', () => {
    const own = rules();
    expect(own.wrong(made(`welcome:${user}`, 500n * CORD))).toBeNull();
    expect(own.wrong(made(`refbonus:${user}`, 50n * CORD))).toBeNull();
    expect(own.wrong(made(`refbonus:${user}`, 51n * CORD))).toContain('a tenth of the welcome is 50000000');
  });
});

describe('books that are read while the system runs', () => {
  const judgement = { nowMs: START_MS + 3 * DAY_MS, lagMs: 0 };
  const whole = alwaysOn({ users: 3, days: 3, startMs: START_MS });
  /** The first read of each user is in the middle of a write. */
  const torn = (stays: boolean): BooksSource => {
    const raised = <T extends { account: AccountDoc | null }>(books: T): T => {
      const { account: own } = books;
      return own
        ? { ...books, account: { ...own, totals: { ...own.totals, allMicro: own.totals.allMicro + 5n } } }
        : books;
    };
    return {
      ...whole,
      async *users() {
        for await (const books of whole.users()) yield raised(books);
      },
      user: async (userId) => (stays ? raised(await whole.user(userId)) : whole.user(userId)),
    };
  };
  const audit = async (source: BooksSource, together = 2) => {
    const found: Finding[] = [];
    const sum = await auditUsers(source, judgement, (each) => found.push(each), { tries: 3, pauseMs: 0, together });
    return { found: found.map(({ what }) => what), sum };
  };

  test('have no finding if they are consistent', async () => {
    expect(await audit(whole)).toMatchObject({
      found: [],
      sum: { accounts: 3, entries: 3 * (1 + 3 * 49), driftMicro: 0n },
    });
  });
  test('are read again after a contradiction, which is no finding if it has disappeared', async () => {
    expect((await audit(torn(false))).found).toEqual([]);
  });
  test('have one finding per account if the contradiction remains', async () => {
    const { found, sum } = await audit(torn(true));
    expect(found).toHaveLength(3);
    expect(found[0]).toContain('the total of all time');
    expect(sum).toMatchObject({ findings: 3, driftMicro: 15n });
  });
  test.each([
    [1, [0, 0, 1, 1, 2, 2]],
    [2, [0, 1, 0, 1, 2, 2]],
    [500, [0, 1, 2, 0, 1, 2]],
  ])('share the pauses of up to %i contradictions, instead of a pause for each', async (together, order) => {
    const users: string[] = [];
    for await (const { userId } of whole.users()) users.push(userId);
    const read: number[] = [];
    const source = torn(true);
    const user = (userId: string) => {
      read.push(users.indexOf(userId));
      return source.user(userId);
    };
    expect((await audit({ ...source, user }, together)).found).toHaveLength(3);
    expect(read).toEqual(order);
  });
});

describe('the record of a friend whose node runs', () => {
  const NOW_MS = START_MS + DAY_MS;
  const rules = rulesOf(null);
  /** Returns the findings, and the number of updates in transit. @param aheadMicro how far the record is ahead of the ledger */
  const judged = (aheadMicro: bigint, { settledAtMs = NOW_MS - 60_000, accountSeq = 8n } = {}) => {
    const found = new Found('referrer', { nowMs: NOW_MS, lagMs: 900_000 });
    const eligibleMicro = 500n * CORD + aheadMicro;
    const friend = { accountSeq, baselineMicro: 0n, eligibleMicro, countedMicro: eligibleMicro, bonus: 'pending' };
    const factors = { discordCreatedAtMs: START_MS, antiCheatHundredths: 100n, antiCheatSeq: 0n, badge: false };
    const known = { seq: 9n, eligibleMicro: 500n * CORD, commissionMicro: 0n, reachedAtMs: START_MS, erased: false };
    const account = { ...known, running: true, settledAtMs, factors };
    const line = { s: 1n, c: eligibleMicro };
    checkFriend({ member: { _id: user, friend } as never, account }, line, rules, found);
    return { wrong: found.findings.length, behind: found.behind };
  };

  test('may be ahead of the ledger by what the node can have mined since, and by no more', () => {
    expect(judged(CORD / 2n)).toEqual({ wrong: 0, behind: 0 });
    expect(judged(100n * CORD)).toEqual({ wrong: 1, behind: 0 });
    expect(judged(100n * CORD, { settledAtMs: NOW_MS - 7 * 3_600_000 })).toEqual({ wrong: 0, behind: 0 });
  });
  test('may be behind for 15 minutes after the account was saved, but not at the account’s own version', () => {
    expect(judged(-CORD)).toEqual({ wrong: 0, behind: 1 });
    expect(judged(-CORD, { settledAtMs: NOW_MS - 901_000 })).toEqual({ wrong: 1, behind: 0 });
    expect(judged(-CORD, { accountSeq: 9n })).toEqual({ wrong: 1, behind: 0 });
  });
});

describe('the bounds of an account’s earnings', () => {
  const judgement = { nowMs: START_MS + 3 * DAY_MS, lagMs: 900_000 };
  const whole = alwaysOn({ users: 1, days: 3, startMs: START_MS });
  const audit = async (change: (books: UserBooks) => UserBooks) => {
    const found: string[] = [];
    const source = {
      ...whole,
      async *users() {
        for await (const books of whole.users()) yield change(books);
      },
    };
    const sum = await auditUsers(source, judgement, ({ what }) => found.push(what), {
      tries: 1,
      pauseMs: 0,
      together: 1,
    });
    return { found, behind: sum.behind };
  };
  const assessed = (atMs: number) => (books: UserBooks) =>
    ({
      ...books,
      assessment: {
        ...{ efficiencyHundredths: 50, checkedAtMs: judgement.nowMs },
        history: [
          { atMs: START_MS, factorHundredths: 100, accounts: 1 },
          { atMs, factorHundredths: 50, accounts: 3 },
          { atMs: judgement.nowMs, factorHundredths: 50, accounts: 4 },
        ],
      },
    }) as UserBooks;

  test('use the account’s age from auth', async () => {
    const { found } = await audit((books) => ({
      ...books,
      user: { ...books.user, discordCreatedAtMs: START_MS } as UserBooks['user'],
    }));
    expect(found).toContainEqual(expect.stringMatching(/^discordCreatedAtMs is \d+ in the ledger, \d+ in auth$/));
  });
  test('use the factor of the network check, with at most 15 minutes of delay', async () => {
    expect(await audit(assessed(judgement.nowMs - 60_000))).toEqual({ found: [], behind: 1 });
    const { found } = await audit(assessed(judgement.nowMs - 901_000));
    expect(found).toEqual(['the factor of the network check is 100 in the ledger, 50 in auth']);
  });
});

describe('the payment of a refund on the chain', () => {
  const refund = { _id: 'r', signature: 's', payer: 'payer', treasury: 'treasury', lamports: 10 };
  const chainOf = (changes: [string, bigint][], ...senders: string[]) => {
    const transfers = senders.map((from) => ({ from, to: 'treasury', lamports: 10n }));
    const transaction = { succeeded: true, signers: [], transfers, changes: new Map(changes) };
    const judge = () => ({ kind: 'confirmed', paid: { payer: 'payer' } });
    return new Chain({ sighting: async () => ({ kind: 'final', transaction }), judge } as never);
  };
  const foundBy = async (check: (judged: Found) => Promise<void>) => {
    const judged = new Found('refund', { nowMs: 0, lagMs: 0 });
    await check(judged);
    return judged.findings.map(({ what }) => what);
  };
  const found = (changes: [string, bigint][], from = 'payer') =>
    foundBy((judged) => chainOf(changes, from).checkRefund(refund as never, judged));

  test('must have raised the balance of the treasury', async () => {
    expect(await found([['treasury', 10n]])).toEqual([]);
    expect(await found([['other', 10n]])).toEqual(['10 lamports are owed, 0 arrived']);
  });
  test('must come from the wallet that gets it back', async () => {
    expect(await found([['treasury', 10n]], 'other')).toContainEqual(expect.stringContaining('neither signed nor'));
  });
  test('can be refunded once, to each wallet at most what it sent, and not after it paid an order', async () => {
    const chain = chainOf([['treasury', 20n]], 'payer', 'other');
    const check = (more: object) => foundBy((judged) => chain.checkRefund({ ...refund, ...more } as never, judged));
    const twice = ['20 lamports of s are for payer, who sent 10'];
    expect(await check({})).toEqual([]);
    expect(await check({})).toEqual([]);
    expect(await check({ _id: 'q', payer: 'other' })).toEqual([]);
    expect(await check({ _id: 'again' })).toEqual(twice);
    const whole = chainOf([['treasury', 20n]], 'payer', 'other');
    expect(await foundBy((judged) => whole.checkRefund({ ...refund, lamports: 20 } as never, judged))).toEqual(twice);
    const paid = chainOf([['treasury', 20n]], 'payer', 'other');
    const order = { _id: 'o', transactionHash: 's', payer: 'payer', treasury: 'treasury', lamports: 10 };
    expect(await foundBy((judged) => paid.checkOrder(order as never, judged))).toEqual([]);
    expect(await foundBy((judged) => paid.checkRefund(refund as never, judged))).toEqual(twice);
  });
});

describe('a node that keeps no old transactions', () => {
  const rules = (firstBlock: number) => {
    const solana = async (method: string) => (method === 'getFirstAvailableBlock' ? firstBlock : 1_000);
    return {
      sighting: async () => ({ kind: 'unseen' }),
      returnsPayment: () => false,
      keptFrom: () => keptFrom(solana),
    };
  };
  const found = async (firstBlock: number, atMs: number, paid: { paidAtMs?: number } = {}) => {
    const chain = new Chain(rules(firstBlock) as never);
    const judged = new Found('order', { nowMs: 0, lagMs: 0 });
    await chain.checkOrder({ transactionHash: 's', createdAtMs: atMs } as never, judged);
    const owed = { payer: 'payer', treasury: 'treasury', lamports: 10, atMs, ...paid };
    await chain.checkRefund({ signature: 's', ...owed } as never, judged);
    chain.expect({ _id: 'r', returnTransaction: 's', provenAtMs: atMs, ...owed } as never);
    await chain.checkReturns((_of, what) => judged.wrong(what));
    return { findings: judged.findings.length, notKept: chain.notKept };
  };

  test('causes no finding for transactions from before its first block, but counts them', async () => {
    expect(await found(7, 999_999)).toEqual({ findings: 0, notKept: 3 });
    expect(await found(7, 1_000_000)).toEqual({ findings: 3, notKept: 0 });
    expect(await found(0, 999_999)).toEqual({ findings: 3, notKept: 0 });
    expect(await found(7, 1_000_000, { paidAtMs: 999_999 })).toEqual({ findings: 1, notKept: 2 });
  });
});

describe('cycles of referrers', () => {
  test('are found once each, also behind a tail', () => {
    const links = new Map(Object.entries({ t: 'a', a: 'b', b: 'c', c: 'a', x: 'x', p: 'q', q: 'r' }));
    const cycles = cyclesIn(links);
    expect(cycles.map((cycle) => cycle.sort().join(''))).toEqual(['abc', 'x']);
  });
  test('are named in part if they are long', () => {
    expect(cycleText([...'abcdefgh'])).toContain('f and 2 more');
  });
});
