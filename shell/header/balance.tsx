import { microToNumber } from '@cord/contracts/rules/money';
import { useBalance, useSdk, useTexts } from '@cord/sdk';
import { cx, formatCord, Skeleton, VisuallyHidden } from '@cord/ui';
import s from './balance.module.css';
import { HEADER_TEXTS } from './texts';

interface BarBalanceProps {
  label?: boolean;
  /** Places the label over a larger number, as in a sheet; a bar uses one line. */
  stacked?: boolean;
  /** Whether it has the name that tests and scripts use; once per page. */
  named?: boolean;
  /** Called before the ledger opens, for example to close a sheet. */
  onOpen?: () => void;
}

/**
 * The current balance in a bar; a press opens the ledger. In a narrow bar the label and then the unit are hidden, so
 * that its neighbours stay visible. Screen readers skip ticking digits; the dashboard has the number as text.
 */
export function BarBalance({ label = false, stacked = false, named = true, onOpen }: BarBalanceProps) {
  const t = useTexts(HEADER_TEXTS);
  const { micro } = useBalance();
  const { ledger } = useSdk();
  const open = () => {
    onOpen?.();
    ledger.open();
  };
  return (
    <button type="button" className={s.button} aria-haspopup="dialog" onClick={open}>
      <VisuallyHidden>{t.openLedger}</VisuallyHidden>
      <span className={cx(s.balance, stacked && s.stacked)} aria-hidden="true">
        {label && <span className={s.label}>{t.balance}</span>}
        <span className={s.sum}>
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
          <span className="t-label">CORD</span>
        </span>
      </span>
    </button>
  );
}
