import { replicaMessage, replicaSubject } from '@cord/contracts/events/replicas';
import { ownerOf, PARTITIONS, partitionOf } from '@cord/contracts/rules/affinity';
import { REPLICA_BEAT_MS, REPLICA_GONE_MS } from './bounds.js';
import { jsonIn } from './json.js';
import type { Nats } from './nats.js';

/**
 * The live replicas of this service, and thus the users that this one owns (services/README.md#one-writer-per-user). A yielding one owns
 * none, unless all yield.
 */
export type Replicas = ReturnType<typeof followReplicas>;

/**
 * Announces this replica with a beat every second, and receives the others' beats. Without a lease: while two claim a partition, or
 * none does, calls cost one more read.
 */
export function followReplicas(
  nats: Pick<Nats, 'nc' | 'service' | 'replica' | 'connected' | 'onReconnect' | 'isYielding' | 'onYield'>,
) {
  const subject = replicaSubject(nats.service);
  /** When each other replica was last seen, by the process's own clock, ms, and whether it yields. */
  const others = new Map<number, { atMs: number; yields: boolean }>();
  const takers = new Set<{ take: (partition: number) => () => void; held: Map<number, () => void> }>();
  const forgetters = new Set<(userId?: string) => void>();
  const owned = new Set<number>();
  let left = false;

  const publishPresence = (leaving: boolean, overtaken?: string): void => {
    const message = { replica: nats.replica, leaving, yields: nats.isYielding(), overtaken };
    if (nats.connected()) nats.nc.publish(subject, JSON.stringify(message));
  };
  const forgetAll = (): void => {
    for (const forget of forgetters) forget();
  };
  const assignPartitions = (): void => {
    const present = [...others].map(([replica, { yields }]) => ({ replica, yields }));
    if (!left) present.push({ replica: nats.replica, yields: nats.isYielding() });
    const ready = present.filter(({ yields }) => !yields);
    const candidates = (ready.length > 0 ? ready : present).map(({ replica }) => replica);
    let gains = false;
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      const isOwned = !left && ownerOf(partition, candidates) === nats.replica;
      if (!isOwned) owned.delete(partition);
      else if (!owned.has(partition)) {
        owned.add(partition);
        gains = true;
      }
      for (const { take, held } of takers) {
        const drop = held.get(partition);
        if (isOwned && !drop) held.set(partition, take(partition));
        if (isOwned || !drop) continue;
        held.delete(partition);
        drop();
      }
    }
    // This one did not see its previous owner's writes.
    if (gains) forgetAll();
  };
  const receive = (text: string): void => {
    const parsed = replicaMessage.safeParse(jsonIn(text));
    if (!parsed.success || parsed.data.replica === nats.replica) return;
    const { replica, leaving, overtaken, yields = false } = parsed.data;
    if (overtaken !== undefined) for (const forget of forgetters) forget(overtaken);
    const known = others.get(replica);
    // After such a silence, for example a stall, it may have lost sight of this one and written this one's users as its own.
    if (known && performance.now() - known.atMs > REPLICA_GONE_MS - REPLICA_BEAT_MS) {
      forgetAll();
      if (!left) publishPresence(false);
    }
    if (leaving) others.delete(replica);
    else others.set(replica, { atMs: performance.now(), yields });
    if (leaving ? !known : known?.yields === yields) return;
    // A new replica gets this one's beat at once.
    if (!known && !left) publishPresence(false);
    assignPartitions();
  };
  const beat = (): void => {
    // Without NATS no beat arrives, but no replica is gone for that reason.
    if (left || !nats.connected()) return;
    publishPresence(false);
    const goneMs = performance.now() - REPLICA_GONE_MS;
    const gone = [...others].filter(([, { atMs }]) => atMs < goneMs);
    for (const [replica] of gone) others.delete(replica);
    if (gone.length > 0) assignPartitions();
  };
  const subscription = nats.nc.subscribe(subject, { callback: (err, msg) => void (err ?? receive(msg.string())) });
  const timer = setInterval(beat, REPLICA_BEAT_MS);
  const offReconnect = nats.onReconnect(() => {
    forgetAll();
    for (const other of others.values()) other.atMs = performance.now();
    beat();
  });
  const offYield = nats.onYield(() => {
    if (left) return;
    publishPresence(false);
    assignPartitions();
  });
  beat();
  const stop = (): void => {
    clearInterval(timer);
    offReconnect();
    offYield();
    if (!nats.nc.isClosed()) subscription.unsubscribe();
  };
  return {
    /**
     * Runs for each partition that this replica owns or gains.
     * @param take returns a function to run when the partition is lost
     */
    owning(take: (partition: number) => () => void) {
      takers.add({ take, held: new Map() });
      assignPartitions();
    },
    /** Whether this replica owns the user, as far as known; false while NATS is away. */
    owns: (userId: string) => nats.connected() && owned.has(partitionOf(userId)),
    /** Announces that this replica wrote state that the user's owner has cached. */
    overtake: (userId: string) => publishPresence(left, userId),
    /** @param forget runs with each user whose state another replica wrote, and without one when any may have been written */
    onOvertaken: (forget: (userId?: string) => void) => void forgetters.add(forget),
    /** Announces at once that this replica leaves, and gives up all partitions. */
    leave() {
      if (left) return;
      left = true;
      publishPresence(true);
      assignPartitions();
    },
    stop,
  };
}
