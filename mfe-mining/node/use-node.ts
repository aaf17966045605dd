import type { MiningSession } from '@cord/contracts/http/mining';
import { numberToMicro } from '@cord/contracts/rules/money';
import { accrualOf, accruedMicro, useMiningSession, useSdk, useServerNow, useStore } from '@cord/sdk';
import { useEffect } from 'react';
import { type NodeController, nodeController } from './node-controller';
import { type NodePhase, phaseOf } from './node-machine';
import type { SaveState } from './saver';

/** Current state of the node. */
export interface Node {
  phase: NodePhase;
  /** The running, paused or ending session; null when idle or unknown. */
  session: MiningSession | null;
  /** Micro-CORD of this session: the server's value plus the accrual since by its clock. */
  earnedMicro: bigint;
  /** Micro-CORD earned since the last credit. */
  pendingMicro: bigint;
  uptimeMs: number;
  nowMs: number;
  save: SaveState;
  /** Null while the server responds; else the time of its last response, ms. */
  lostAtMs: number | null;
  loadError: string | null;
  controller: NodeController;
}

/** The hook behind the Mining page and the node card. */
export function useNode(): Node {
  const sdk = useSdk();
  const controller = nodeController(sdk);
  const machine = useStore(controller.machine);
  const save = useStore(controller.saver.state);
  const session = useMiningSession();
  const accrual = accrualOf(session);
  const nowMs = useServerNow(accrual !== null || save.savedAtMs !== null);
  useEffect(() => {
    // The shared query reads the session; the controller only keeps its failure, which any later response clears.
    if (session === undefined) void controller.reload();
  }, [controller, session]);

  const phase = phaseOf({ machine, session, failures: save.failures, nowMs });
  // On an error the number stays at the server's last value (storybook/ui/README.md#cord-dial).
  const growing = accrual !== null && phase !== 'error';
  const pendingMicro = accrual === null ? 0n : accruedMicro(accrual, nowMs);
  const creditedMicro = session ? numberToMicro(session.earnings) : 0n;
  return {
    phase,
    session: session ?? null,
    earnedMicro: creditedMicro + (growing ? pendingMicro : 0n),
    pendingMicro,
    uptimeMs: session ? uptimeMs(session, nowMs) : 0,
    nowMs,
    save,
    lostAtMs: useStore(sdk.connection.lostAtMs),
    loadError: machine.loadError,
    controller,
  };
}

/** Returns the running time of a session, ms; 0 for an invalid start time. */
export function uptimeMs(session: MiningSession, nowMs: number): number {
  const startedMs = Date.parse(session.startedAt);
  if (Number.isNaN(startedMs)) return 0;
  const endedMs = session.endedAt === null ? Number.POSITIVE_INFINITY : Date.parse(session.endedAt);
  const leaseMs = session.leaseUntil === null ? Number.POSITIVE_INFINITY : Date.parse(session.leaseUntil);
  const pausedMs = session.status === 'paused' ? Date.parse(session.creditedUntil) : Number.POSITIVE_INFINITY;
  return Math.max(0, Math.min(nowMs, endedMs, leaseMs, pausedMs) - startedMs);
}
