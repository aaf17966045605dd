import type { Broadcast } from '../broadcast';

/** Messages of the tabs of one browser about who leads them. */
export type LeadMessage =
  /** Sent by a tab that somebody looks at. */
  | { kind: 'who-leads'; tab: string }
  /** Sent by the tab that leads: at a request, and whenever one of these changes. */
  | ({ kind: 'leads'; tab: string } & LeadState);

/** What the tab that leads sends about itself. */
export interface LeadState {
  seen: boolean;
  /** Whether changes are reported. */
  open: boolean;
  /** Whether by a stream of its own; until then the tab that led before keeps its one. */
  holds: boolean;
}

export interface LeadBounds {
  /** So long a tab that has come into view waits for the message of the one that leads, ms. */
  answerMs: number;
}

export const LEAD_BOUNDS: LeadBounds = { answerMs: 500 };

/** Shape of the protocol: tabs of another release have a leader of their own. */
const LOCK = 'cord.lead.v1';

export interface LeadDeps {
  userId: string;
  locks: Pick<LockManager, 'request'>;
  broadcast: Broadcast;
  /** Whether somebody can look at this tab. */
  isSeen(): boolean;
  /** What is shown along of the stream. */
  stream(): Pick<LeadState, 'open' | 'holds'>;
  /**
   * This tab leads from now on.
   * @param covered the one before is alive and holds its stream until this one's is open, so that nothing is missed
   */
  onLead(covered: boolean): void;
  /** Another tab leads from now on; the lock is gone already. */
  onLose(): void;
  /** The message of another tab, which leads. */
  onMessage(state: LeadState): void;
  bounds?: LeadBounds;
}

export interface Lead {
  leads(): boolean;
  /** This tab has come into view, or has gone out of it. */
  seenChanged(): void;
  /** Sends the others what they should know of the leader, if it is this one. */
  announce(): void;
  /** Gives up: signed out, frozen, left. */
  leave(): void;
}

/**
 * One tab of a browser leads (shell/sdk/README.md#live-updates): the one that is seen. The lock makes that there is one; it is queued for, so
 * that a leader that is closed, crashes or is discarded is followed at once. A tab that comes into view requests who leads: a leader that
 * is seen keeps the lock, from any other, or from one that does not answer, it is taken. A leader that goes out of view announces it, and a tab that is in view
 * takes it from there. So nobody is read at intervals.
 */
export function createLead(deps: LeadDeps): Lead {
  const { userId, locks, broadcast, isSeen, bounds = LEAD_BOUNDS } = deps;
  const name = `${LOCK}.${userId}`;
  const tab = crypto.randomUUID();
  let letGo: (() => void) | null = null;
  let queued: AbortController | null = null;
  let answerTimer: ReturnType<typeof setTimeout> | null = null;
  let taking = false;
  let left = false;

  /** Runs while the lock is held; `covered` as in `onLead`. */
  function hold(covered: boolean): Promise<void> {
    queued = null;
    taking = false;
    stopWaiting();
    if (left) return Promise.resolve();
    return new Promise<void>((resolve) => {
      letGo = resolve;
      deps.onLead(covered);
      announce();
    });
  }

  /** The lock was taken from this tab; else this tab has given up waiting for it. */
  function lost(): void {
    taking = false;
    if (letGo === null) return;
    letGo = null;
    deps.onLose();
    queue();
    // It may have been taken by a tab that has gone out of view since.
    if (isSeen()) requestLead();
  }

  function queue(): void {
    if (left || queued !== null || letGo !== null) return;
    const waiting = new AbortController();
    queued = waiting;
    locks.request(name, { signal: waiting.signal }, () => hold(false)).catch(lost);
  }

  function take(covered: boolean): void {
    stopWaiting();
    if (left || taking || letGo !== null) return;
    taking = true;
    queued?.abort();
    queued = null;
    locks.request(name, { steal: true }, () => hold(covered)).catch(lost);
  }

  function requestLead(): void {
    if (left || taking || letGo !== null || answerTimer !== null) return;
    answerTimer = setTimeout(() => take(false), bounds.answerMs);
    broadcast.send({ kind: 'who-leads', userId, tab });
  }

  function stopWaiting(): void {
    if (answerTimer !== null) clearTimeout(answerTimer);
    answerTimer = null;
  }

  function announce(): void {
    if (letGo !== null) broadcast.send({ kind: 'leads', userId, tab, seen: isSeen(), ...deps.stream() });
  }

  const deafen = broadcast.listen((message) => {
    if (message.userId !== userId) return;
    if (message.kind === 'who-leads') announce();
    if (message.kind !== 'leads' || letGo !== null) return;
    deps.onMessage(message);
    if (message.seen) stopWaiting();
    else if (isSeen()) take(message.open);
  });

  queue();
  if (isSeen()) requestLead();

  return {
    leads: () => letGo !== null,
    seenChanged() {
      if (letGo !== null) announce();
      else if (isSeen()) requestLead();
      else stopWaiting();
    },
    announce,
    leave() {
      left = true;
      deafen();
      stopWaiting();
      queued?.abort();
      queued = null;
      letGo?.();
      letGo = null;
    },
  };
}
