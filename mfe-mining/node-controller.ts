import { type MiningSession, miningEndpoints } from '@cord/contracts/http/mining';
import { microToNumber } from '@cord/contracts/rules/money';
import { SAVE_INTERVAL_MS } from '@cord/contracts/rules/timings';
import {
  ApiError,
  accrualOf,
  accruedMicro,
  createStore,
  isOutcomeUnknown,
  messageOf,
  nodeKey,
  nodeStatsKey,
  readNode,
  type Sdk,
  SHORT_TOAST_MS,
  type Store,
  startNode,
} from '@cord/sdk';
import { formatCord, formatRate } from '@cord/ui';
import { INITIAL, type NodeEvent, type NodeMachine, phaseOf, reduceNode } from './node-machine';
import { TEXTS } from './texts';

/** The node of one page: every card and page of it shows the same one. */
export interface NodeController {
  machine: Store<NodeMachine>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Saves now if there is anything to save; a forced save is a contact in any case. */
  save(options?: { forced?: boolean; keepalive?: boolean }): Promise<void>;
  /** Reads the session again. */
  reload(): Promise<void>;
  /** Keeps saving while a component shows the node, and after that for as long as it runs; returns the way to let go. */
  attach(): () => void;
}

const SAVE_TIMINGS = { intervalMs: SAVE_INTERVAL_MS, retryMs: 1_000, retryMostMs: 30_000 };

const controllers = new WeakMap<Sdk, NodeController>();

/** The page's one controller. */
export function nodeController(sdk: Sdk): NodeController {
  const existing = controllers.get(sdk);
  if (existing) return existing;
  const created = createNodeController(sdk);
  controllers.set(sdk, created);
  return created;
}

function createNodeController(sdk: Sdk): NodeController {
  const { api, session, clock, toasts, queries } = sdk;
  const machine = createStore<NodeMachine>(INITIAL);
  const dispatch = (event: NodeEvent) => machine.set(reduceNode(machine.get(), event, SAVE_TIMINGS));
  let attached = 0;
  let rest: (() => void) | null = null;

  const running = (): MiningSession | null => {
    const current = session.node.get();
    const phase = phaseOf(machine.get(), current, clock.now());
    return current && (phase === 'running' || phase === 'error') ? current : null;
  };

  /** Before a change of state: an answer still under way describes the node as it was. */
  const dropReads = (userId: string) => queries.cancelQueries({ queryKey: nodeKey(userId), exact: true });

  async function start(): Promise<void> {
    const userId = session.state.get().user?.id;
    if (userId === undefined || machine.get().pending !== null) return;
    dispatch({ type: 'start-pressed' });
    try {
      const started = await startNode(sdk, userId);
      dispatch({ type: 'started', nowMs: clock.now() });
      const text = TEXTS.get().toastStartedText({ rate: formatRate(started.rate) });
      toasts.show({ kind: 'success', title: TEXTS.get().toastStarted, text, durationMs: SHORT_TOAST_MS });
    } catch (error) {
      dispatch({ type: 'action-failed' });
      if (isOutcomeUnknown(error)) void reload();
      const text = messageOf(error, TEXTS.get().unknownError);
      toasts.show({ kind: 'error', title: TEXTS.get().toastStartFailed, text, durationMs: SHORT_TOAST_MS });
    }
  }

  async function stop(): Promise<void> {
    const userId = session.state.get().user?.id;
    const current = session.node.get();
    if (userId === undefined || !current || machine.get().pending !== null) return;
    dispatch({ type: 'stop-pressed' });
    try {
      await dropReads(userId);
      // Ending settles what is unsaved in the same write; the sum sent is only compared (decisions, Security and money).
      const body = { finalEarnings: microToNumber(pendingMicro(current)) };
      const result = await sdk.writes.send({
        name: ['node', 'end', current.id],
        input: body,
        send: (to, idempotencyKey) =>
          to.call(miningEndpoints.end, { params: { sessionId: current.id }, body, idempotencyKey }),
        refresh: [nodeStatsKey(userId)],
      });
      session.merge(result.updatedUser);
      session.observeNode(result.session?.status === 'ended' ? result.session : null, { pressed: true });
      dispatch({ type: 'stopped' });
      const earned = result.session?.earnings ?? current.earnings + result.credited;
      const text = TEXTS.get().toastStoppedText({ earned: formatCord(earned) });
      toasts.show({ kind: 'success', title: TEXTS.get().toastStopped, text, durationMs: SHORT_TOAST_MS });
    } catch (error) {
      dispatch({ type: 'action-failed' });
      if (isOutcomeUnknown(error)) void reload();
      const text = TEXTS.get().toastStopFailedText;
      toasts.show({ kind: 'error', title: TEXTS.get().toastStopFailed, text, durationMs: SHORT_TOAST_MS });
    }
  }

  const pendingMicro = (current: MiningSession): bigint => {
    const accrual = accrualOf(current);
    return accrual === null ? 0n : accruedMicro(accrual, clock.now());
  };

  async function save({ forced = false, keepalive = false } = {}): Promise<void> {
    const userId = session.state.get().user?.id;
    const current = running();
    if (userId === undefined || current === null || machine.get().save.saving) return;
    const pending = pendingMicro(current);
    if (pending === 0n && !forced) return;
    dispatch({ type: 'save-begun' });
    try {
      const result = await api.call(miningEndpoints.save, {
        params: { id: userId, sessionId: current.id },
        body: { earningsToAdd: microToNumber(pending), miningRate: current.rate },
        keepalive,
      });
      session.merge(result.updatedUser);
      if (isStill(current)) session.observeNode(result.session);
      dispatch({ type: 'saved', nowMs: clock.now() });
    } catch (error) {
      dispatch({ type: 'save-failed', nowMs: clock.now() });
      // The session is not there any more: it was stopped elsewhere.
      if (error instanceof ApiError && (error.status === 404 || error.status === 409)) await reload();
    }
  }

  /** Whether the session that a save was sent for is the one still shown. */
  const isStill = (sent: MiningSession) => session.node.get()?.id === sent.id && machine.get().pending === null;

  async function reload(): Promise<void> {
    const userId = session.state.get().user?.id;
    if (userId === undefined) return;
    try {
      await readNode(sdk, userId);
      dispatch({ type: 'loaded' });
    } catch (error) {
      dispatch({ type: 'load-failed', message: messageOf(error, TEXTS.get().unreachable) });
    }
  }

  function watch(): void {
    if (rest !== null) return;
    const stopTicking = sdk.ticker.subscribe(onTick);
    const stopWatching = sdk.connection.lostAtMs.subscribe(onConnection);
    document.addEventListener('visibilitychange', onVisibility);
    window.addEventListener('online', onOnline);
    rest = () => {
      stopTicking();
      stopWatching();
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('online', onOnline);
      rest = null;
    };
  }

  /** On the app's other tabs a running node is saved all the same (spec part 4); an idle one that nobody shows is not watched. */
  function restWhenIdle(): void {
    if (attached === 0 && running() === null) rest?.();
  }

  function onTick(): void {
    restWhenIdle();
    // Out of reach a save would only fail; the server accrues by itself.
    if (sdk.connection.lostAtMs.get() !== null) return;
    const { save: state } = machine.get();
    const current = running();
    if (current === null || state.saving) return;
    const dueMs = state.nextAtMs || Date.parse(current.creditedUntil) + SAVE_INTERVAL_MS;
    if (clock.now() >= dueMs) void save({ forced: true });
  }

  /** The network is back: a failed save does not sit out its wait. */
  function onOnline(): void {
    if (machine.get().save.failures > 0) void save({ forced: true });
  }

  function onConnection(): void {
    if (sdk.connection.lostAtMs.get() === null) onOnline();
  }

  function onVisibility(): void {
    if (document.visibilityState === 'hidden') void save({ keepalive: true });
  }

  return {
    machine,
    start,
    stop,
    save,
    reload,
    attach() {
      attached += 1;
      watch();
      return () => {
        attached -= 1;
        restWhenIdle();
      };
    },
  };
}
