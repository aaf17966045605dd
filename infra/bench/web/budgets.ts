/** Measures a running system; returns values by name. */
export type Measure = (on: { origin: string; runs: number }) => Promise<[name: string, value: number][]>;

/** Maximum of each measure. Sizes are KiB of gzip; 1 KiB is 1,024 bytes. */
const BUDGETS: [RegExp, number][] = [
  [/^landing_js_kib$/, 120],
  [/^signed_in_js_kib$/, 170],
  [/^signed_in_ahead_js_kib$/, 100],
  [/^mfe_\w+_js_kib$/, 45],
  [/^room_\w+_js_kib$/, 30],
  [/^main_thread_landing_ratio$/, 1.5],
  [/^main_thread_dashboard_ratio$/, 2.0],
  [/^tab_(switch|return)_ratio$/, 1.5],
  [/^layout_shift_max$/, 0.05],
  [/^heap_growth_mb$/, 5],
];

/** Prints each result and those beyond their budget. @returns whether all are within their budget */
export function judge(results: ReadonlyMap<string, number>): boolean {
  // NaN is beyond any budget.
  const beyond = [...results].filter(([name, value]) => !(value <= budgetOf(name)));
  for (const [name, value] of beyond) console.log(`BEYOND ${name}=${value}, budget at most ${budgetOf(name)}`);
  for (const [name, value] of results) console.log(`RESULT ${name}=${value}`);
  return beyond.length === 0;
}

function budgetOf(name: string): number {
  return BUDGETS.find(([pattern]) => pattern.test(name))?.[1] ?? Number.POSITIVE_INFINITY;
}

export function rounded(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}
