/** Accounts read at a time. */
const BATCH = 500;
/** An account that does not add up is read again so often before it counts, with a pause in between. */
const TRIES_MAX = 5;
const PAUSE_MS = 200;
const same = (stored) => stored;
/** Documents that are of this release's schema. */
const AS_THEY_ARE = { account: same, entry: same };

/**
 * Recomputes every balance: sum of entries, of outbox entries not yet written, and of what is open (money.md).
 *
 * Sound while others write: an account of seq s was read first, so each of its entries up to s was either written by
 * then or stood in the outbox that was read with it; entries never change, and later ones have a higher seq.
 *
 * @param {import('mongodb').Db} db mining's database, opened with useBigInt64
 * @param {(line: string) => void} say told of each account that does not add up
 * @param {Awaited<ReturnType<typeof import('./schema.mjs').ledgerReading>>} [read] how stored documents are read
 * @returns {Promise<{accounts: number, entries: number, driftMicro: bigint}>}
 */
export async function recompute(db, say, read = AS_THEY_ARE) {
  const result = { accounts: 0, entries: 0, driftMicro: 0n };
  let after = '';
  for (;;) {
    const stored = db
      .collection('accounts')
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(BATCH);
    const accounts = (await stored.toArray()).map(read.account);
    if (accounts.length === 0) return result;
    after = accounts.at(-1)._id;
    const entries = await entriesOf(
      db,
      accounts.map(({ _id }) => _id),
      read,
    );
    for (const account of accounts) {
      const own = entries.get(account._id) ?? [];
      result.accounts += 1;
      result.entries += own.length;
      const wrong = wrongs(account, own).length === 0 ? [] : await checkAgain(db, account._id, read);
      for (const { what, driftMicro } of wrong) {
        say(`account ${account._id}: ${what}`);
        result.driftMicro += driftMicro;
      }
    }
  }
}

async function checkAgain(db, userId, read) {
  let wrong = [];
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const stored = await db.collection('accounts').findOne({ _id: userId });
    if (stored === null) return [];
    wrong = wrongs(read.account(stored), (await entriesOf(db, [userId], read)).get(userId) ?? []);
    if (wrong.length === 0) return [];
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return wrong;
}

async function entriesOf(db, userIds, read) {
  const byUser = new Map();
  for await (const stored of db.collection('entries').find({ userId: { $in: userIds } })) {
    const entry = read.entry(stored);
    const own = byUser.get(entry.userId);
    if (own) own.push(entry);
    else byUser.set(entry.userId, [entry]);
  }
  return byUser;
}

/**
 * What does not add up in one account.
 * @returns {{what: string, driftMicro: bigint}[]} drift in micro-CORD, at least 1 for each thing that is wrong
 */
export function wrongs(account, written) {
  const keys = new Set(written.map(({ _id }) => _id));
  const waiting = account.outbox
    .filter((item) => item.kind === 'entry' && !keys.has(item.key))
    .map(({ entry }) => ({ ...entry, _id: entry.key }));
  const entries = [...written.filter(({ seq }) => seq <= account.seq), ...waiting];
  entries.sort((a, b) => (a.seq < b.seq ? -1 : 1));
  const wrong = [];
  const found = (what, driftMicro) => wrong.push({ what, driftMicro: driftMicro === 0n ? 1n : magnitude(driftMicro) });

  let sumMicro = 0n;
  let lastSeq = 0n;
  const bySource = {};
  for (const entry of entries) {
    sumMicro += entry.amountMicro;
    bySource[entry.source] = (bySource[entry.source] ?? 0n) + entry.amountMicro;
    if (entry.seq <= lastSeq) found(`two entries of seq ${entry.seq}`, 0n);
    if (entry.balanceMicro !== sumMicro) {
      found(
        `entry ${entry._id} says balance ${entry.balanceMicro}, the sum is ${sumMicro}`,
        entry.balanceMicro - sumMicro,
      );
    }
    lastSeq = entry.seq;
  }
  const openCommissionMicro = account.openCommission?.amountMicro ?? 0n;
  const dueMicro = sumMicro + account.open.amountMicro + openCommissionMicro;
  if (dueMicro !== account.balanceMicro) {
    found(`balance ${account.balanceMicro}, entries and open make ${dueMicro}`, account.balanceMicro - dueMicro);
  }
  bySource.mining = (bySource.mining ?? 0n) + account.open.amountMicro;
  bySource.commission = (bySource.commission ?? 0n) + openCommissionMicro;
  for (const source of new Set([...Object.keys(bySource), ...Object.keys(account.totals.bySource)])) {
    const saidMicro = account.totals.bySource[source] ?? 0n;
    const madeMicro = bySource[source] ?? 0n;
    if (saidMicro !== madeMicro)
      found(`${source} total ${saidMicro}, entries make ${madeMicro}`, saidMicro - madeMicro);
  }
  return wrong;
}

function magnitude(micro) {
  return micro < 0n ? -micro : micro;
}
