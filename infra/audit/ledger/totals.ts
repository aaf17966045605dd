import { DAY_MS, periodKeys } from '@cord/contracts/rules/days';
import { CARRY_UNIT } from '@cord/contracts/rules/rate';
import type { SessionRecord } from '../../../services/mining/ledger/session-record.js';
import type { AccountDoc, SessionDoc } from '../../../services/mining/store/collections.js';
import type { Found } from '../findings.js';
import { checkBalance, names, plus } from './chain.js';
import { mostMined, type Rules } from './rates.js';
import { sessionsWaiting } from './waiting.js';
import type { Walk } from './walk.js';

/** Checks the account's sums against its entries and open amounts. */
export function checkTotals(walk: Walk): void {
  const { account, found, rules } = walk;
  const { totals, open } = account;
  const openCommissionMicro = account.openCommission?.amountMicro ?? 0n;
  const openMicro = open.amountMicro + openCommissionMicro;
  if (open.amountMicro < 0n || openCommissionMicro < 0n) found.wrong('the open amount is negative');
  checkBalance(walk.chain);
  found.sum('the total of all time', totals.allMicro, walk.chain.sumMicro + openMicro);
  checkDay(walk, openCommissionMicro);
  for (const name of ['day', 'week', 'month'] as const) {
    const { key, micro, miningMicro, ranMs } = totals[name];
    found.sum(`${name} ${key}: the amount for rankings`, micro, walk[name].micro + openMicro);
    found.sum(`${name} ${key}: mined`, miningMicro, walk[name].miningMicro + open.amountMicro);
    const most = mostMined(account, ranMs, found.judgement.nowMs, rules);
    if (miningMicro > most)
      found.wrong(
        `${name} ${key}: ${miningMicro} mined in ${ranMs} ms of node time, at most ${most} is possible`,
        miningMicro - most,
      );
  }
  if (totals.day.ranMs > DAY_MS) found.wrong(`day ${totals.day.key} has ${totals.day.ranMs} ms of node time`);
  checkPeriodKeys(account, found);
  checkNode(walk);
}

/** Checks the sources of the present day. */
function checkDay({ account: { totals, open }, day, found }: Walk, openCommissionMicro: bigint): void {
  const due = { ...day.bySource };
  plus(due, 'mining', open.amountMicro);
  plus(due, 'commission', openCommissionMicro);
  const { key, bySource } = totals.day;
  for (const source of new Set([...names(due), ...names(bySource)]))
    found.sum(`day ${key}: ${source}`, bySource[source] ?? 0n, due[source] ?? 0n);
}

/** Checks that day, week and month of an account fit: a day never lies after its week or month. */
function checkPeriodKeys({ totals: { day, week, month } }: AccountDoc, found: Found): void {
  if (day.key === '' || week.key === '' || month.key === '') return;
  const of = periodKeys(Date.parse(day.key));
  if (week.key > of.week || month.key > of.month)
    found.wrong(`it is in day ${day.key}, but in week ${week.key} and month ${month.key}`);
}

function checkNode({ account: { node, open, epoch }, session, epoch: ofEpoch, found }: Walk): void {
  const { amountMicro } = open;
  if (node.sessionId === null) found.sum('mined outside sessions', node.sessionMicro, 0n);
  else {
    const range = { least: session.least + amountMicro, most: session.most + amountMicro };
    inRange('mined in the session', node.sessionMicro, range, found);
  }
  if (epoch.joinedAtMs !== null) {
    // The open amount may belong to the hour in which the epoch began.
    const least = ofEpoch.most === 0n ? 0n : ofEpoch.least + amountMicro;
    inRange('mined in the epoch', epoch.micro, { least, most: ofEpoch.most + amountMicro }, found);
  }
  if (node.carry < 0n || node.carry >= CARRY_UNIT) found.wrong(`the remainder of mining is ${node.carry}`);
}

function inRange(what: string, is: bigint, { least, most }: { least: bigint; most: bigint }, found: Found): void {
  if (is < least) found.wrong(`${what}: ${is}, entries sum to at least ${least}`, least - is);
  if (is > most) found.wrong(`${what}: ${is}, entries sum to at most ${most}`, is - most);
}

/** Sums the sessions of one account, in the order of their starts, and compares them with its mined amount and node time. */
export class Sessions {
  readonly #waiting: Map<string, SessionRecord>;
  #earnedMicro = 0n;
  #ranMs = 0;
  #untilMs = 0;

  constructor(
    readonly account: AccountDoc,
    readonly found: Found,
    readonly rules: Rules,
  ) {
    this.#waiting = new Map(sessionsWaiting(account).map((session) => [session.id, session]));
  }

  /** Adds the next session of the store. */
  add({ _id, ...session }: SessionDoc): void {
    // It began after the account was read.
    if (session.startedAtMs > this.account.node.startedAtMs) return;
    const waits = this.#waiting.get(_id);
    // It ended after the account was read.
    if (_id === this.account.node.sessionId && this.account.node.status === 'active') return;
    if (waits) this.#waiting.delete(_id);
    this.#take({ ...session, id: _id });
  }

  end(): void {
    const { account, found } = this;
    for (const session of this.#waiting.values()) this.#take(session);
    // An erased user's last session leaves no record.
    if (account.erasedAtMs !== null) return;
    const { node, totals } = account;
    const running = node.status === 'active';
    found.sum(
      'mined in all sessions',
      this.#earnedMicro + (running ? node.sessionMicro : 0n),
      totals.bySource.mining ?? 0n,
    );
    found.sum('node time of all sessions, ms', this.#ranMs + (running ? node.sessionMs : 0), node.ranMs);
  }

  #take({ id, startedAtMs, creditedUntilMs, earnedMicro, sessionMs }: Omit<SessionRecord, 'addressHash'>): void {
    this.#earnedMicro += earnedMicro;
    this.#ranMs += sessionMs;
    if (startedAtMs < this.#untilMs) this.found.wrong(`session ${id} began before the end of the previous one`);
    this.#untilMs = creditedUntilMs;
    if (sessionMs > creditedUntilMs - startedAtMs)
      this.found.wrong(`session ${id} has more node time than its duration`);
    const most = mostMined(this.account, sessionMs, creditedUntilMs, this.rules);
    if (earnedMicro > most)
      this.found.wrong(
        `session ${id}: ${earnedMicro} mined in ${sessionMs} ms, at most ${most} is possible`,
        earnedMicro - most,
      );
  }
}
