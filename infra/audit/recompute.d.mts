import type { Db } from 'mongodb';

export function recompute(
  db: Db,
  say: (line: string) => void,
  read?: { account: (stored: object) => object; entry: (stored: object) => object },
): Promise<{ accounts: number; entries: number; driftMicro: bigint }>;

export function wrongs(
  account: Record<string, unknown>,
  written: readonly Record<string, unknown>[],
): { what: string; driftMicro: bigint }[];
