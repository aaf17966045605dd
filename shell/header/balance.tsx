import { microToNumber } from '@cord/contracts/rules/money';
import { useBalance, useTexts } from '@cord/sdk';
import { formatCord, Skeleton } from '@cord/ui';
import s from './balance.module.css';
import { HEADER_TEXTS } from './texts';

/**
 * The balance of this second in a bar. Ticking digits are not spoken; the dashboard says the number in words.
 * `named`: the one that tests and scripts read; a page has it once.
 */
export function BarBalance({ label = false, named = true }: { label?: boolean; named?: boolean }) {
  const t = useTexts(HEADER_TEXTS);
  const { micro } = useBalance();
  return (
    <span className={s.balance}>
      {label && <span className={s.label}>{t.balance}</span>}
      {micro === null ? (
        <Skeleton width={92} height={18} />
      ) : (
        <span
          className={s.amount}
          data-number
          data-testid={named ? 'balance' : undefined}
          data-value={microToNumber(micro)}
        >
          {formatCord(micro)}
        </span>
      )}
      <span className={s.unit}>CORD</span>
    </span>
  );
}
