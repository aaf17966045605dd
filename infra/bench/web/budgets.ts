/** Of a running system, by name. */
export type Measure = (on: { origin: string; runs: number }) => Promise<[name: string, value: number][]>;

interface Budget {
  least?: number;
  most?: number;
}

/** What each measure may be at the most or must be at the least. Sizes are KiB of gzip; 1 KiB is 1,024 bytes. */
const BUDGETS: [RegExp, Budget][] = [
  [/^landing_js_kib$/, { most: 120 }],
  [/^signed_in_js_kib$/, { most: 170 }],
  [/^signed_in_ahead_js_kib$/, { most: 100 }],
  [/^mfe_\w+_js_kib$/, { most: 45 }],
  [/^room_\w+_js_kib$/, { most: 30 }],
  [/^main_thread_landing_ratio$/, { most: 1.5 }],
  [/^main_thread_dashboard_ratio$/, { most: 2.0 }],
  [/^tab_(switch|return)_ratio$/, { most: 1.5 }],
  [/^layout_shift_max$/, { most: 0.05 }],
  [/^heap_growth_mb$/, { most: 5 }],
];

/** Prints each result beside its budget. @returns whether all keep to theirs */
export function judge(results: ReadonlyMap<string, number>): boolean {
  const beyond = [...results].filter(([name, value]) => !keeps(budgetOf(name), value));
  for (const [name, value] of beyond) console.log(`BEYOND ${name}=${value}, budget ${shown(budgetOf(name))}`);
  for (const [name, value] of results) console.log(`RESULT ${name}=${value}`);
  return beyond.length === 0;
}

function budgetOf(name: string): Budget {
  return BUDGETS.find(([pattern]) => pattern.test(name))?.[1] ?? {};
}

function keeps({ least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY }: Budget, value: number) {
  return value >= least && value <= most;
}

function shown({ least, most }: Budget) {
  return least === undefined ? `at most ${most}` : `at least ${least}`;
}

export function rounded(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}
