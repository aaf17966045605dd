import * as miningEndpoints from '@cord/contracts/addresses/mining';
import type { MiningSession } from '@cord/contracts/http/mining';
import { microToNumber } from '@cord/contracts/rules/money';
import {
  accrualOf,
  accruedMicro,
  createStore,
  isOutcomeUnknown,
  messageOf,
  nodeKey,
  type Sdk,
  type Store,
} from '@cord/sdk';
import { formatCord, formatRate } from '@cord/ui';
import { TEXTS } from '../texts';
import { INITIAL, type NodeEvent, type NodeMachine, reduceNode } from './node-machine';
import { createSaver, type Saver } from './saver';
import { isHere, nodeStatsKey, readNode, startNode } from './start-node';

/** The node of one page, shared by its cards and pages. */
export interface NodeController {
  machine: Store<NodeMachine>;
  /** @returns whether it runs; a press during a start returns the outcome of that start */
  start(): Promise<boolean>;
  stop(): Promise<void>;
  saver: Saver;
  /** Reads the session again. */
  reload(): Promise<void>;
}

const controllers = new WeakMap<Sdk, NodeController>();

/** Returns the page's only controller. */
export function nodeController(sdk: Sdk): NodeController {
  const existing = controllers.get(sdk);
  if (existing) return existing;
  const created = createNodeController(sdk);
  controllers.set(sdk, created);
  return created;
}

function createNodeController(sdk: Sdk): NodeController {
  const { session, clock, toasts, queries } = sdk;
  const machine = createStore<NodeMachine>(INITIAL);
  const dispatch = (event: NodeEvent) => machine.set(reduceNode(machine.get(), event));

  /** Cancels reads before a state change, since a pending response describes the old state. */
  const dropReads = (userId: string) => queries.cancelQueries({ queryKey: nodeKey(userId), exact: true });

  let starting: Promise<boolean> | null = null;

  session.state.listen(({ user }, { user: before }) => {
    if (user?.id === before?.id) return;
    starting = null;
    machine.set(INITIAL);
  });

  function start(): Promise<boolean> {
    const userId = session.state.get().user?.id;
    if (starting !== null) return starting;
    if (userId === undefined || machine.get().pending !== null) return Promise.resolve(false);
    const started = startFor(userId).finally(() => {
      if (starting === started) starting = null;
    });
    starting = started;
    return started;
  }

  async function startFor(userId: string): Promise<boolean> {
    dispatch({ type: 'start-pressed' });
    try {
      const started = await startNode(sdk, userId);
      if (!isHere(sdk, userId)) return false;
      dispatch({ type: 'started' });
      const text = TEXTS.get().toastStartedText({ rate: formatRate(started.rate) });
      toasts.show({ kind: 'success', title: TEXTS.get().toastStarted, text });
      return true;
    } catch (error) {
      if (!isHere(sdk, userId)) return false;
      dispatch({ type: 'action-failed' });
      const text = messageOf(error, TEXTS.get().unknownError);
      toasts.show({ kind: 'error', title: TEXTS.get().toastStartFailed, text });
      return false;
    }
  }

  async function stop(): Promise<void> {
    const userId = session.state.get().user?.id;
    const current = session.node.get();
    if (userId === undefined || !current || machine.get().pending !== null) return;
    dispatch({ type: 'stop-pressed' });
    try {
      await dropReads(userId);
      // Ending credits the unsaved amount in the same write; the sent sum is only compared.
      const body = { finalEarnings: microToNumber(pendingMicro(current)) };
      const result = await sdk.writes.send({
        name: ['node', 'end', current.id],
        input: body,
        send: (to, idempotencyKey) =>
          to.call(miningEndpoints.end, { params: { sessionId: current.id }, body, idempotencyKey }),
        refresh: [nodeStatsKey(userId)],
      });
      if (!isHere(sdk, userId)) return;
      session.merge(result.updatedUser);
      session.observeNode(result.session?.status === 'ended' ? result.session : null, { pressed: true });
      dispatch({ type: 'stopped' });
      const earned = result.session?.earnings ?? current.earnings + result.credited;
      const text = TEXTS.get().toastStoppedText({ earned: formatCord(earned) });
      toasts.show({ kind: 'success', title: TEXTS.get().toastStopped, text });
    } catch (error) {
      if (!isHere(sdk, userId)) return;
      dispatch({ type: 'action-failed' });
      if (isOutcomeUnknown(error)) void reload();
      const text = TEXTS.get().toastStopFailedText;
      toasts.show({ kind: 'error', title: TEXTS.get().toastStopFailed, text });
    }
  }

  const pendingMicro = (current: MiningSession): bigint => {
    const accrual = accrualOf(current);
    return accrual === null ? 0n : accruedMicro(accrual, clock.now());
  };

  async function reload(): Promise<void> {
    const userId = session.state.get().user?.id;
    if (userId === undefined) return;
    try {
      await readNode(sdk, userId);
      if (isHere(sdk, userId)) dispatch({ type: 'loaded' });
    } catch (error) {
      if (isHere(sdk, userId)) dispatch({ type: 'load-failed', message: messageOf(error, TEXTS.get().unreachable) });
    }
  }

  return { machine, start, stop, saver: createSaver(sdk), reload };
}
