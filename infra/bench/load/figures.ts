const MINUTE_MS = 60_000;
const MINUTES_A_DAY = 1_440;

/** The writes in a period. */
export interface Window {
  commands: number;
  bytes: number;
  ms: number;
}

/** The writes in a period by kind. */
interface KindsWindow extends Window {
  byKind: Record<string, number>;
}

/** Two periods of any lengths. */
interface Seen<W> {
  before: W;
  running: W;
  nodes: number;
}

/**
 * Computes the writes of one running node: those while the nodes ran, less those of the same mix without nodes in the
 * same time.
 * @returns for one node
 */
export function perNode({ before, running, nodes }: Seen<Window>): { writesPerMinute: number; bytesPerDay: number } {
  const length = running.ms / before.ms;
  const caused = (what: 'commands' | 'bytes') =>
    (running[what] - before[what] * length) / nodes / (running.ms / MINUTE_MS);
  return { writesPerMinute: caused('commands'), bytesPerDay: caused('bytes') * MINUTES_A_DAY };
}

/** Returns the writes between two counts (shared/commands.ts). */
export function between(first: Omit<KindsWindow, 'ms'>, last: Omit<KindsWindow, 'ms'>, ms: number): KindsWindow {
  const kinds = Object.entries(last.byKind).map(([kind, count]) => [kind, count - (first.byKind[kind] ?? 0)]);
  const byKind = Object.fromEntries(kinds);
  return { commands: last.commands - first.commands, bytes: last.bytes - first.bytes, ms, byKind };
}

/**
 * Computes a node's writes by kind, the largest first.
 * @returns writes per minute of one node
 */
export function byKind({ before, running, nodes }: Seen<KindsWindow>): [string, number][] {
  const of = (window: KindsWindow, kind: string) => ({
    commands: window.byKind[kind] ?? 0,
    bytes: 0,
    ms: window.ms,
  });
  return Object.keys(running.byKind)
    .map((kind): [string, number] => {
      const seen = { before: of(before, kind), running: of(running, kind), nodes };
      return [kind, perNode(seen).writesPerMinute];
    })
    .sort((a, b) => b[1] - a[1]);
}

/** Returns each node's inviter by index: null for the first nodes, which invite the others in turn. */
export function referrersOf(nodes: number, share: number): (number | null)[] {
  const referred = Math.round(nodes * share);
  const first = nodes - referred;
  if (!(first >= 1)) throw new Error('--referred must leave at least one node without a referrer');
  return Array.from({ length: nodes }, (_, n) => (n < first ? null : (n - first) % first));
}
