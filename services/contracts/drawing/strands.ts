/** A strand of the cord, in display order. */
export const STRANDS = ['base', 'age', 'epoch', 'badge'] as const;
export type Strand = (typeof STRANDS)[number];

/** Each factor's addition to the rate, in any unit: only the shares count. A factor that is missing or not above 0 is inactive. */
export type StrandAdds = Partial<Record<Strand, number>>;

/** Lobes in one repeat of the cord, 5 % each (the visual language, The cord dial). */
export const REPEAT = 20;

const active = (adds: StrandAdds) => STRANDS.filter((strand) => (adds[strand] ?? 0) > 0);

/**
 * Number of `lobes` per active strand: its share by largest remainder, at least one.
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

/** One repeat of the cord, with its strands spread by error diffusion; all base when no factor adds. */
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

/** Shares in whole percent that add up to 100, for "26% base, 65% account age, 9% epoch". */
export function strandPercents(adds: StrandAdds): Map<Strand, number> {
  return strandCounts(adds, 100);
}

/** Content of a dial's lobe: a strand, or nothing where efficiency was lost. */
type Lobe = Strand | 'void';

/**
 * Lays out the lobes of a dial clockwise from the hand. Each percent missing from `efficiency` (0 to 100, network penalty
 * included) hollows one lobe of a hundred, spread evenly. Each active strand gets at least one of the solid lobes.
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
