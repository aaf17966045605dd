const DUPLICATE_KEY = 11_000;

/** Whether a write was refused because another document holds the same unique value. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === DUPLICATE_KEY;
}
