import type { Part } from '@cord/contracts/proof/verify';
import type { Checked, LogFinding } from './check';

/** The part that does not hold first, `history` or `days` where only the log as a whole does not. */
export function partOf({ verdict, history }: Checked): { part: Part | LogFinding['part']; n: string } {
  return verdict.ok ? { part: history?.part ?? 'history', n: '' } : { part: verdict.part, n: verdict.n ?? '' };
}

/** What verify.mjs prints of it; support reads the same. */
export function finding({ verdict, history }: Checked): string {
  return verdict.ok && history !== null ? `MISMATCH ${history.part}: ${history.what}` : verdict.text;
}

/** The check that fails first, 1 to 4; null where all hold. */
export function failedStep(checked: Checked): 1 | 2 | 3 | 4 | null {
  if (checked.verdict.ok) return checked.history === null ? null : 4;
  const { part } = checked.verdict;
  return part === 'file' ? 1 : part === 'entry' ? 2 : part === 'leaf' ? 3 : 4;
}
