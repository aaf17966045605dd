import type { Fault } from '@cord/kit/testing/fault-copies';
import { CHAIN_FAULTS } from './faults-chain.js';

/** Deliberate faults in the real code; the simulation must detect each of them. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'entries are looked at before the outbox',
    isRare: true,
    file: 'ledger/ledger.ts',
    from: `        const account = known ?? (await readOrRefuse(request.userId));
        known = null;
        const written = entryInOutbox(account, request.key) ?? (await store.findEntry(request.userId, request.key));`,
    to: `        const early = await store.findEntry(request.userId, request.key);
        const account = known ?? (await readOrRefuse(request.userId));
        known = null;
        const written = early ?? entryInOutbox(account, request.key);`,
  },
  {
    name: 'a retry does not look for its key in the entries',
    file: 'ledger/ledger.ts',
    from: 'entryInOutbox(account, request.key) ?? (await store.findEntry(request.userId, request.key))',
    to: 'entryInOutbox(account, request.key)',
  },
  {
    name: 'a retry does not look for its key in the outbox',
    file: 'ledger/ledger.ts',
    from: 'entryInOutbox(account, request.key) ?? (await store.findEntry(request.userId, request.key))',
    to: 'await store.findEntry(request.userId, request.key)',
  },
  {
    name: 'a key may take another amount',
    file: 'ledger/credit.ts',
    from: ' && entry.amountMicro === credit.amountMicro',
    to: '',
  },
  {
    name: 'the slot is pulled without its seq',
    file: 'ledger/relay.ts',
    from: 'store.pullOutbox(userId, relayed)',
    to: 'store.pullOutbox(userId, { ...relayed, announcedSeq: 1n << 62n })',
  },
  {
    name: 'the outbox is emptied whatever was written since',
    file: 'ledger/relay.ts',
    from: 'if (await store.clearOutbox(userId, account.seq, relayed)) return account.seq;',
    to: `const there = await store.read(userId);
    const all = { items: there?.outbox ?? [], announcedSeq: there?.seq ?? 0n };
    if (await store.clearOutbox(userId, there?.seq ?? 0n, all)) return account.seq;`,
  },
  {
    name: 'clear throws away an announcement that was not made',
    file: 'ledger/relay.ts',
    from: 'const relayed: Relayed = { items: account.outbox, announcedSeq };',
    to: 'const relayed: Relayed = { items: account.outbox, announcedSeq: announcedSeq ?? account.seq };',
  },
  {
    name: 'relay claims what it has not relayed',
    file: 'ledger/relay.ts',
    from: '  return null;\n}\n',
    to: '  return account?.seq ?? null;\n}\n',
  },
  {
    name: 'published before the entries are written',
    file: 'ledger/relay.ts',
    from: `  await storeItems(store, account);
  try {
    return await publishItems(bus, account);`,
    to: `  try {
    const announcedSeq = await publishItems(bus, account);
    await storeItems(store, account);
    return announcedSeq;`,
  },
  {
    name: 'pulled before the entries are written',
    file: 'ledger/relay.ts',
    from: '  await storeItems(store, account);\n  try {',
    to: `  await store.pullOutbox(account.userId, { items: account.outbox, announcedSeq: null });
  await storeItems(store, account);
  try {`,
  },
  {
    name: 'a day that is over does not go out',
    file: 'ledger/relay.ts',
    from: 'if (days.length > 0) await store.putDays(days);',
    to: '',
  },
  {
    name: 'what stands open at midnight counts for the next day',
    file: 'ledger/settle.ts',
    from: 'closeCommission(account.open.amountMicro === 0n ? account : closeMining(account), ms)',
    to: 'closeCommission(account, ms)',
  },
  {
    name: 'an entry that is closed at midnight stands in the next day',
    file: 'ledger/settle.ts',
    from: 'hourStartMs(untilMs) === untilMs ? untilMs - 1 : untilMs',
    to: 'hourStartMs(untilMs) === untilMs ? untilMs : untilMs',
  },
  {
    name: 'a clock that is behind writes into a day that is over',
    isRare: true,
    file: 'ledger/account-time.ts',
    from: 'periodKeys(nowMs).day >= account.totals.day.key ? nowMs',
    to: 'nowMs > 0 ? nowMs',
  },
  {
    name: 'a reported total is added, not taken up to',
    file: 'ledger/series.ts',
    from: 'const dueMicro = reported.totalMicro - knownMicro;',
    to: 'const dueMicro = reported.totalMicro;',
  },
  {
    name: 'a total that was reported before is taken back',
    file: 'ledger/series.ts',
    from: 'if (reported.totalMicro <= knownMicro) return account;',
    to: 'if (reported.totalMicro === knownMicro) return account;',
  },
  {
    name: 'an entry counts open commission into its balance',
    file: 'ledger/credit.ts',
    from: 'balanceMicro: balanceMicro - closed.openCommission.amountMicro,',
    to: 'balanceMicro,',
  },
  {
    name: 'open commission stays open over midnight',
    file: 'ledger/settle.ts',
    from: 'closeCommission(account.open.amountMicro === 0n ? account : closeMining(account), ms)',
    to: '(account.open.amountMicro === 0n ? account : closeMining(account))',
  },
  ...CHAIN_FAULTS,
  {
    name: 'the carry is dropped',
    file: 'ledger/settle.ts',
    from: 'carry: node.carry });',
    to: 'carry: 0n });',
  },
  {
    name: 'the lease does not end the earning',
    file: 'ledger/settle.ts',
    from: 'const endMs = Math.min(moment.nowMs, account.node.leaseUntilMs);',
    to: 'const endMs = moment.nowMs;',
  },
  {
    name: 'compare-and-set against whatever seq stands there',
    file: 'ledger/ledger.ts',
    from: 'written = await store.compareAndSet(before, after, at.nowMs, announcedSeq);',
    to: `const there = await store.read(before.userId);
      written = await store.compareAndSet(
        { ...before, seq: there?.seq ?? before.seq }, after, at.nowMs, announcedSeq);`,
  },
  {
    name: 'a lost compare-and-set counts as written',
    file: 'ledger/ledger.ts',
    from: `      deps.onConflict?.(before.userId);
      return false;`,
    to: `      deps.onConflict?.(before.userId);
      return true;`,
  },
  {
    name: 'a factor changes before the old rate is settled',
    file: 'ledger/factors.ts',
    from: `  const closed = closeOpen(settle(account, moment), moment);
  return seal(account, { ...closed, factors: { ...closed.factors, badge: true } }, moment.nowMs, 'now');`,
    to: `  const rerated = { ...account, factors: { ...account.factors, badge: true } };
  return seal(account, closeOpen(settle(rerated, moment), moment), moment.nowMs, 'now');`,
  },
  {
    name: 'an older assessment comes back into force',
    file: 'ledger/factors.ts',
    from: 'assessedSeq <= account.factors.antiCheatSeq || ',
    to: '',
  },
  {
    name: 'the day does not turn in the middle of a stretch',
    file: 'ledger/accrual.ts',
    from: 'Math.min(toMs, rate.untilMs, hourStartMs(atMs) + HOUR_MS)',
    to: 'Math.min(toMs, rate.untilMs)',
  },
  {
    name: 'a node is paid by the old book after the moment of the new one',
    file: 'ledger/accrual.ts',
    from: '      bookUntilMs(epochs.books, ms),\n',
    to: '      bookUntilMs(epochs.books, ms) + 86_400_000,\n',
  },
  {
    name: 'a write puts back the outbox it remembers',
    file: 'ledger/account-write.ts',
    from: 'next.outbox.filter((item) => item.seq > before.seq)',
    to: 'next.outbox',
  },
  {
    name: 'nothing changed is believed of memory that may be behind',
    file: 'ledger/ledger.ts',
    from: 'if (whole === renewed && fresh) return',
    to: 'if (whole === renewed) return',
  },
  {
    name: 'an older state takes the place of a newer one in the stream',
    file: 'kit/nats/states.ts',
    from: 'if (last.seq >= seq) {',
    to: 'if (seq < 0n) {',
  },
  {
    name: 'an announcement does not mark the account for the sweeper',
    file: 'ledger/account-write.ts',
    from: 'const adds = announces || newItems.length > 0;',
    to: 'const adds = newItems.length > 0;',
  },
  {
    name: 'a save empties the slot of an announcement that is not noted',
    file: 'ledger/account-write.ts',
    from: 'announceSeq: announces ? next.announceSeq : erases ? null : undefined,',
    to: 'announceSeq: announces ? next.announceSeq : erases || isAnnounced(before, announcedSeq) ? null : undefined,',
  },
  {
    name: 'what goes out while its user is erased stays',
    isRare: true,
    file: 'ledger/relay.ts',
    from: 'await bus.withdraw(userId);',
    to: '',
  },
  {
    name: 'a session that is written while its user is erased stays',
    isRare: true,
    file: 'ledger/relay.ts',
    from: 'await store.removeSessions(userId);',
    to: '',
  },
  {
    name: 'the outbox forgets what was published before it is noted',
    file: 'ledger/relay.ts',
    from: 'if (hasPublications(account)) await note(userId);',
    to: '',
  },
  {
    name: 'a clock that was set ahead takes accounts along',
    file: 'ledger/ledger.ts',
    from: 'if (isLongSinceActivity(account, deps.nowMs())) await',
    to: 'if (at.nowMs < 0) await',
  },
  {
    name: 'a day takes any number of credits',
    file: 'ledger/credit-rules.ts',
    from: '(credited.bySource[source] ?? 0) : 0;',
    to: '0 : 0;',
  },
  {
    name: 'a credit does not count for its day',
    file: 'ledger/credit.ts',
    from: '{ ...pushed, balanceMicro, totals, credited }',
    to: '{ ...pushed, balanceMicro, totals }',
  },
  {
    name: 'a day takes any amount',
    file: 'ledger/credit-rules.ts',
    from: '+ amountMicro > limit.micro',
    to: '+ amountMicro < 0n',
  },
  {
    name: 'a correction takes off more than there is',
    file: 'ledger/credit.ts',
    from: 'if (balanceMicro - closed.openCommission.amountMicro < 0n)',
    to: 'if (balanceMicro < 0n)',
  },
  {
    name: 'an erased user is still credited',
    file: 'ledger/credit.ts',
    from: "if (account.erasedAtMs !== null) throw refuse('erased-user', 'This user was erased.');",
    to: '',
  },
  {
    name: 'a replica that does not own a user answers from its memory',
    isRare: true,
    file: 'ledger/ledger.ts',
    from: 'contact && !owns(userId) ? null : cache.get(userId)',
    to: 'cache.get(userId)',
  },
  {
    name: 'a memory that another replica overtook still answers',
    isRare: true,
    file: 'ledger/ledger.ts',
    from: 'forget: (userId: string) => cache.forget(userId)',
    to: 'forget: (_userId: string) => {}',
  },
  {
    name: 'a replica that takes a user over answers from what it remembers',
    isRare: true,
    file: 'ledger/ledger.ts',
    from: 'forgetAll: () => cache.clear()',
    to: 'forgetAll: () => {}',
  },
  {
    name: 'a write loses the contact that was answered before it',
    isRare: true,
    file: 'ledger/ledger.ts',
    from: 'const renewed = contacts.renew(before);',
    to: 'const renewed = before;',
  },
  {
    name: 'a contact is never written',
    isRare: true,
    file: 'ledger/contacts.ts',
    from: 'if (dueMs < nowMs) users',
    to: 'if (dueMs < 0) users',
  },
  {
    name: 'contacts are answered without a write for any time',
    file: 'ledger/contacts.ts',
    from: 'after.node.leaseUntilMs - node.leaseUntilMs < unwrittenMs * KEPT_SHARE &&',
    to: '',
  },
  {
    name: 'the first contact in hours is answered without a write where commission was written just before',
    file: 'ledger/contacts.ts',
    from: 'after.node.leaseUntilMs - node.leaseUntilMs < unwrittenMs * KEPT_SHARE &&',
    to: 'after.node.lastAtMs < node.lastAtMs + unwrittenMs * KEPT_SHARE &&',
  },
  {
    name: 'a contact that is written late is dated in a day that is over',
    file: 'ledger/settle.ts',
    from: 'Math.max(dayStart(account), lastMsOf(account.open.sinceMs, account.node.lastAtMs))',
    to: 'lastMsOf(account.open.sinceMs, account.node.lastAtMs)',
  },
];
