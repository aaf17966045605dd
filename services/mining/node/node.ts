import { randomBytes } from 'node:crypto';
import { pageByTime } from '@cord/kit/page';
import type { Account } from '../ledger/account.js';
import type { Change, Ledger } from '../ledger/ledger.js';
import type { SessionRecord } from '../ledger/session-record.js';
import { type Moment, sessionRecord, settle } from '../ledger/settle.js';
import { sessionsWaiting } from '../ledger/waiting.js';
import { sessionNotFound } from '../problems.js';
import type { Reads } from '../store/reads.js';
import { contactStep, startStep, stopStep } from './steps.js';

/** The account after a call, the credited amount, and the session of the call. */
export interface NodeResult {
  readonly account: Account;
  readonly creditedMicro: bigint;
  /** null when the user has never run a node. */
  readonly session: SessionRecord | null;
  readonly moment: Moment;
  /** Whether the call changed stored data. */
  readonly changed: boolean;
}

/** A page of a user's sessions. */
export interface History {
  readonly sessions: readonly SessionRecord[];
  readonly nextCursor: string | null;
  readonly moment: Moment;
}

export type MiningNode = ReturnType<typeof createNode>;

/** The operations of users on their nodes. Every call takes the signed-in user's id; another user's session is not found. */
export function createNode(ledger: Ledger, reads: Reads) {
  /** Starts the node; a running node keeps its session. @throws LedgerRefusal */
  async function start(userId: string, addressHash: string | null): Promise<NodeResult> {
    const session = { sessionId: randomBytes(16).toString('hex'), addressHash };
    return resultOf(await ledger.change(userId, (account, at) => startStep(account, session, at)));
  }

  /** Credits the node's earnings. @throws LedgerRefusal; Problem 404 for a session of another user */
  function save(userId: string, sessionId: string | null, addressHash: string | null): Promise<NodeResult> {
    const step = (account: Account, at: Moment) => contactStep(account, at, addressHash);
    return onSession(userId, sessionId, step, { contact: true });
  }

  /** Stops the node; an ended session is unchanged. @throws as `save` */
  function stop(userId: string, sessionId: string | null): Promise<NodeResult> {
    return onSession(userId, sessionId, stopStep);
  }

  /** Returns the running or paused session, or null; counts as a contact. @throws LedgerRefusal */
  async function current(userId: string, addressHash: string | null): Promise<NodeResult> {
    const step = (account: Account, at: Moment) => contactStep(account, at, addressHash);
    const result = resultOf(await ledger.change(userId, step, { contact: true }));
    return result.account.node.status === 'idle' ? { ...result, session: null } : result;
  }

  /** Applies a step if the session is the account's current one. Any other session of the user has ended and is unchanged. */
  async function onSession(
    userId: string,
    sessionId: string | null,
    step: (account: Account, at: Moment) => Account,
    form?: { contact: boolean },
  ): Promise<NodeResult> {
    const isCurrent = (account: Account) => sessionId === null || account.node.sessionId === sessionId;
    const stepOf = (account: Account, at: Moment) => (isCurrent(account) ? step(account, at) : account);
    const change = await ledger.change(userId, stepOf, form);
    if (isCurrent(change.after)) return resultOf(change);
    const session = await pastSession(change.after, sessionId ?? '');
    return { account: change.after, creditedMicro: 0n, session, moment: change.moment, changed: false };
  }

  /** Returns a session that ended earlier, from the outbox or the records. @throws Problem 404 */
  async function pastSession(account: Account, sessionId: string): Promise<SessionRecord> {
    const waiting = sessionsWaiting(account).find((session) => session.id === sessionId);
    const session = waiting ?? (await reads.session(account.userId, sessionId));
    if (!session) throw sessionNotFound();
    return session;
  }

  /** Returns a page of sessions, newest first: the running one, those in the outbox, and the records. Null without an account. */
  async function history(
    userId: string,
    page: { cursor?: string | undefined; limit: number },
  ): Promise<History | null> {
    const account = await ledger.read(userId);
    const moment = ledger.moment();
    if (!account) return null;
    const settled = settle(account, moment);
    const running = settled.node.status === 'active' ? [sessionRecord(settled, 'active', moment)] : [];
    const unwritten = [...running, ...sessionsWaiting(settled)];
    const begun = ({ startedAtMs }: SessionRecord) => startedAtMs;
    const { shown, nextCursor } = await pageByTime(page, begun, async (span, most) => {
      const within = unwritten.filter((session) => begun(session) >= span.fromMs && begun(session) < span.belowMs);
      const all = [...within, ...(await reads.sessions(userId, span, most))];
      const once = new Map(all.map((session) => [session.id, session]));
      return [...once.values()].sort((a, b) => begun(b) - begun(a)).slice(0, most);
    });
    return { sessions: shown, nextCursor, moment };
  }

  /** Returns the account settled to now, without a write, and the stored one: entries of the settled one may never be stored. Null without an account. */
  async function readSettled(userId: string): Promise<{ account: Account; stored: Account; moment: Moment } | null> {
    const stored = await ledger.read(userId);
    const moment = ledger.moment();
    return stored && { account: settle(stored, moment), stored, moment };
  }

  return { start, save, stop, current, history, readSettled };
}

/** Returns the node's result of a change. */
export function resultOf({ before, after, moment, answeredMicro }: Change): NodeResult {
  const { status, sessionId } = after.node;
  const session = sessionId === null ? null : sessionRecord(after, status === 'idle' ? 'ended' : status, moment);
  const creditedMicro = after.balanceMicro - answeredMicro;
  return { account: after, creditedMicro, session, moment, changed: after !== before };
}
