import type { Paid } from './paid.js';

/** Checks claims of tasks and check-ins in the user's documents against the ledger, both ways. */
export function checkTasks(paid: Paid): void {
  checkClaims(paid);
  checkCheckins(paid);
}

function checkClaims(paid: Paid): void {
  const { books, tasks, found } = paid;
  // Tombstones of erased users have no claims.
  if (paid.hasDropped(books.record)) return;
  const claims = books.record?.claims ?? {};
  const owed = paid.owedOf('task');
  let counted = 0;
  for (const taskId of new Set([...Object.keys(claims), ...tasks.keys(), ...owed.map(([key]) => key.taskId ?? '')])) {
    const claim = Object.hasOwn(claims, taskId) ? claims[taskId] : undefined;
    const credited = tasks.get(taskId);
    const owing = owed.filter(([key]) => key.taskId === taskId);
    const has = (credited?.count ?? 0) + owing.length;
    const due = claim?.count ?? 0;
    counted += due;
    const what = `task ${taskId}: claimed ${due} times, ${has} entries, pending and parked credits`;
    if (has > due || (has < due && !paid.isErased)) found.wrong(what);
    if (claim && (credited?.claimMost ?? 0) > claim.count)
      found.wrong(`task ${taskId}: credited for claim ${credited?.claimMost} of ${claim.count}`);
    const amounts = [credited?.latestMicro, ...owing.map(([, { amountMicro }]) => amountMicro)];
    if (claim && has === due && !amounts.includes(claim.rewardMicro))
      found.sum(`task ${taskId}: the latest credit`, credited?.latestMicro ?? 0n, claim.rewardMicro);
  }
  if (books.record) found.sum('tasks completed', books.record.completed, counted);
}

function checkCheckins(paid: Paid): void {
  const { books, checkins, found } = paid;
  const { streak } = books;
  if (paid.hasDropped(streak)) return;
  const owed = new Map(paid.owedOf('checkin').map(([key, { amountMicro }]) => [key.dayKey ?? '', amountMicro]));
  const count = checkins.count + owed.size;
  const due = streak?.totalCheckIns ?? 0;
  const what = `${due} check-ins, ${count} entries, pending and parked credits of them`;
  if (count > due || (count < due && !paid.isErased)) found.wrong(what);
  if (!streak || paid.isErased) return;
  const micro = [...owed.values()].reduce((sum, each) => sum + each, checkins.micro);
  if (count === due) found.sum('the sum of all check-ins', streak.totalMicro, micro);
  for (const { dayKey, rewardMicro, bonusMicro } of streak.days) {
    const is = checkins.listed.get(dayKey) ?? owed.get(dayKey);
    if (is === undefined) found.wrong(`the check-in of ${dayKey} has no entry, no pending and no parked credit`);
    else found.sum(`the check-in of ${dayKey}`, is, rewardMicro + bonusMicro);
  }
}
