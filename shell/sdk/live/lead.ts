import type { Broadcast } from '../broadcast';

/** Messages between the tabs of one browser about their leader. */
export type LeadMessage =
  /** Sent by a visible tab. */
  | { kind: 'who-leads'; tab: string }
  /** Sent by the leader: on request, and whenever one of these changes. */
  | ({ kind: 'leads'; tab: string } & LeadState);

/** State of the leader. */
export interface LeadState {
  seen: boolean;
  /** Whether changes are reported. */
  open: boolean;
  /** Whether it has its own stream; until then the previous leader keeps its stream. */
  holds: boolean;
}

export interface LeadBounds {
  /** How long a tab that became visible waits for the leader's response, ms. */
  answerMs: number;
}

export const LEAD_BOUNDS: LeadBounds = { answerMs: 500 };

/** Version of the protocol: tabs of another release have their own leader. */
const LOCK = 'cord.lead.v1';

export interface LeadDeps {
  userId: string;
  locks: Pick<LockManager, 'request'>;
  broadcast: Broadcast;
  /** Whether this tab is visible. */
  isSeen(): boolean;
  /** State of the stream, for the other tabs. */
  stream(): Pick<LeadState, 'open' | 'holds'>;
  /**
   * Called when this tab becomes the leader.
   * @param covered the previous leader keeps its stream until this one's is open, so that no event is missed
   */
  onLead(covered: boolean): void;
  /** Called when another tab has taken the lead; the lock is already released. */
  onLose(): void;
  /** Called with a message of the leader in another tab. */
  onMessage(state: LeadState): void;
  bounds?: LeadBounds;
}

export interface Lead {
  leads(): boolean;
  /** Called when this tab becomes visible or hidden. */
  seenChanged(): void;
  /** Sends the state of the leader to the other tabs, if this tab leads. */
  announce(): void;
  /** Gives up the lead: signed out, frozen, closed. */
  leave(): void;
}

/**
 * Elects one leader among the tabs of a browser (shell/sdk/README.md#live-updates): the visible one. A lock makes it
 * unique; the other tabs queue for it, so a leader that closes, crashes or is discarded is replaced at once. A tab
 * that becomes visible requests the leader. A visible leader keeps the lock; from a hidden or unresponsive one it is
 * stolen. A leader announces that it is hidden, and a visible tab then steals the lock. No tab polls.
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

  /** Handles a stolen lock, or a request that failed. */
  function lost(): void {
    taking = false;
    if (letGo === null) return;
    letGo = null;
    deps.onLose();
    queue();
    // The tab that took it may be hidden by now.
    if (isSeen()) requestLead();
  }

  function queue(): void {
    if (left || queued !== null || letGo !== null) return;
    const waiting = new AbortController();
    queued = waiting;
    // A wait that `take` aborts is no loss: the lock that it requests then is still to come.
    locks.request(name, { signal: waiting.signal }, () => hold(false)).catch(() => waiting.signal.aborted || lost());
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
