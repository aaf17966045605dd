const MINUTE_MS = 60_000;
const MINUTES_A_DAY = 1_440;

/**
 * What one running node writes: what was written while the nodes ran, less what the same length of the same mix writes
 * without them.
 * @param {{before: Window, running: Window, nodes: number}} seen two windows, of any length each
 * @returns {{writesPerMinute: number, bytesPerDay: number}} of one node
 *
 * @typedef {{commands: number, bytes: number, ms: number}} Window
 */
export function perNode({ before, running, nodes }) {
  const length = running.ms / before.ms;
  const caused = (what) => (running[what] - before[what] * length) / nodes / (running.ms / MINUTE_MS);
  return { writesPerMinute: caused('commands'), bytesPerDay: caused('bytes') * MINUTES_A_DAY };
}

/** What was written between two copies of what is Written. */
export function between(first, last, ms) {
  const kinds = [...last.byKind].map(([kind, count]) => [kind, count - (first.byKind.get(kind) ?? 0)]);
  return { commands: last.commands - first.commands, bytes: last.bytes - first.bytes, ms, byKind: new Map(kinds) };
}

/** The same by kind of write, the largest first. @returns {[string, number][]} writes a minute of one node */
export function byKind({ before, running, nodes }) {
  const of = (window, kind) => ({ commands: window.byKind.get(kind) ?? 0, bytes: 0, ms: window.ms });
  return [...running.byKind.keys()]
    .map((kind) => {
      const seen = { before: of(before, kind), running: of(running, kind), nodes };
      return [kind, perNode(seen).writesPerMinute];
    })
    .sort((a, b) => b[1] - a[1]);
}

/** Who was invited by whom, by index: the first ones by nobody, the others by those in turn. */
export function referrersOf(nodes, share) {
  const referred = Math.round(nodes * share);
  const first = nodes - referred;
  if (!(first >= 1)) throw new Error('--referred must leave a node that nobody invited');
  return Array.from({ length: nodes }, (_, n) => (n < first ? null : (n - first) % first));
}
