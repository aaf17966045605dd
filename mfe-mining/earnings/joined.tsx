import { useTexts } from '@cord/sdk';
import { dateName } from './period-names';
import { EARNINGS_TEXTS } from './texts';
import type { Earnings } from './use-earnings';

/** Join date of an account that is younger than the range. */
export function Joined({ earnings, className }: { earnings: Earnings; className: string | undefined }) {
  const t = useTexts(EARNINGS_TEXTS);
  if (!earnings.periods.some(({ before }) => before)) return null;
  return <p className={className}>{t.joinedOn({ day: dateName(earnings.joinedMs) })}</p>;
}
