const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;
const WHOLE = /^(\d+(\.\d+)?(ms|s|m|h|d))+$/;

/** Parses `25h`, `90s`, `1d12h` to ms, rounded up; undefined for anything else. */
export function durationMs(text: string): number | undefined {
  if (!WHOLE.test(text)) return undefined;
  const parts = [...text.matchAll(PART)].map(([, count = '0', unit = 'ms']) => Number(count) * (UNIT_MS[unit] ?? 0));
  return Math.ceil(parts.reduce((sum, ms) => sum + ms, 0));
}
