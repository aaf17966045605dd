/** A strand of the cord, in the order in which shares are named. */
export const STRANDS = ['base', 'age', 'epoch', 'badge'] as const;
export type Strand = (typeof STRANDS)[number];

/** What each factor adds to the rate; any unit, only the shares count. Missing or not above 0 is not active. */
export type StrandAdds = Partial<Record<Strand, number>>;

/** One repeat of the cord: 20 lobes of 5 % each (the visual language, The cord dial). */
export const REPEAT = 20;

const active = (adds: StrandAdds) => STRANDS.filter((strand) => (adds[strand] ?? 0) > 0);

/**
 * How many of `lobes` each active strand gets: its share, by largest remainder, and at least one.
 * The sum is `lobes`, unless there are more strands than lobes.
 */
export function strandCounts(adds: StrandAdds, lobes: number = REPEAT): Map<Strand, number> {
  const strands = active(adds);
  const total = strands.reduce((sum, strand) => sum + (adds[strand] ?? 0), 0);
  const ideal = strands.map((strand) => ({ strand, exact: ((adds[strand] ?? 0) / total) * lobes }));
  const counts = new Map(ideal.map(({ strand, exact }) => [strand, Math.max(1, Math.floor(exact))]));
  const laid = () => [...counts.values()].reduce((sum, n) => sum + n, 0);
  const byRest = [...ideal].sort((a, b) => (b.exact % 1) - (a.exact % 1));
  for (let i = 0; laid() < lobes && byRest.length > 0; i++) {
    const next = byRest[i % byRest.length];
    if (next) counts.set(next.strand, (counts.get(next.strand) ?? 0) + 1);
  }
  while (laid() > lobes) {
    const [strand, n] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
    if (strand === undefined || n === undefined || n <= 1) break;
    counts.set(strand, n - 1);
  }
  return counts;
}

/** One repeat of the cord, its strands spread by error diffusion; plain base when nothing adds. */
export function strandPattern(adds: StrandAdds, lobes: number = REPEAT): Strand[] {
  const counts = [...strandCounts(adds, lobes)];
  if (counts.length === 0) return ['base'];
  const length = counts.reduce((sum, [, n]) => sum + n, 0);
  const error = new Map<Strand, number>();
  return Array.from({ length }, () => {
    for (const [strand, n] of counts) error.set(strand, (error.get(strand) ?? 0) + n / length);
    const [chosen] = [...error].reduce((best, entry) => (entry[1] > best[1] + 1e-9 ? entry : best));
    error.set(chosen, (error.get(chosen) ?? 0) - 1);
    return chosen;
  });
}

/** Shares in whole percent that sum to 100, for "26% base, 65% account age, 9% epoch". */
export function strandPercents(adds: StrandAdds): Map<Strand, number> {
  return strandCounts(adds, 100);
}

/** What a lobe of the dial shows: a strand, or nothing where efficiency was lost. */
type Lobe = Strand | 'void';

/**
 * The lobes of a dial from the hand clockwise. `efficiency` is 0 to 100: each lost percent makes one lobe of a hundred
 * hollow, spread evenly, the network penalty included. The solid ones carry the strands, each active one at least once.
 */
export function layLobes(lobes: number, adds: StrandAdds, efficiency: number): Lobe[] {
  const lost = 1 - Math.min(100, Math.max(0, efficiency)) / 100;
  const hollow = Math.round(lost * lobes);
  const holes = new Set(Array.from({ length: hollow }, (_, k) => Math.floor(((k + 0.5) * lobes) / hollow)));
  const solid = lobes - hollow;
  const pattern = strandPattern(adds, Math.min(REPEAT, Math.max(1, solid)));
  let laid = 0;
  return Array.from({ length: lobes }, (_, i) =>
    holes.has(i) ? 'void' : (pattern[laid++ % pattern.length] ?? 'base'),
  );
}
