interface Seen {
  commands: number;
  bytes: number;
  byKind: Map<string, number>;
}

type Window = Seen & { ms: number };

interface Windows {
  before: Window;
  running: Window;
  nodes: number;
}

export function perNode(seen: Windows): { writesPerMinute: number; bytesPerDay: number };
export function between(first: Seen, last: Seen, ms: number): Window;
export function byKind(seen: Windows): [string, number][];
export function referrersOf(nodes: number, share: number): (number | null)[];
