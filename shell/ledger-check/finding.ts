import type { Part } from '@cord/contracts/proof/verify';
import type { Checked, LogFinding } from './check';

/** Returns the first part with a mismatch; `history` or `days` when only the whole log has one. */
export function partOf({ verdict, history }: Checked): { part: Part | LogFinding['part']; n: string } {
  return verdict.ok ? { part: history?.part ?? 'history', n: '' } : { part: verdict.part, n: verdict.n ?? '' };
}

/** Returns the output of verify.mjs for the result; support reads the same. */
export function finding({ verdict, history }: Checked): string {
  return verdict.ok && history !== null ? `MISMATCH ${history.part}: ${history.what}` : verdict.text;
}

/** Returns the first failed check, 1 to 4; null when all pass. */
export function failedStep(checked: Checked): 1 | 2 | 3 | 4 | null {
  if (checked.verdict.ok) return checked.history === null ? null : 4;
  const { part } = checked.verdict;
  return part === 'file' ? 1 : part === 'entry' ? 2 : part === 'leaf' ? 3 : 4;
}
