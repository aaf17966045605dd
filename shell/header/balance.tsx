import { microToNumber } from '@cord/contracts/rules/money';
import { useBalance, useSdk, useTexts } from '@cord/sdk';
import { cx, formatCord, Skeleton, VisuallyHidden } from '@cord/ui';
import s from './balance.module.css';
import { HEADER_TEXTS } from './texts';

interface BarBalanceProps {
  label?: boolean;
  /** The label over a larger number, as in a sheet; in a bar all stands in one line. */
  stacked?: boolean;
  /** The one that tests and scripts read; a page has it once. */
  named?: boolean;
  /** Called before the ledger opens: a sheet makes room. */
  onOpen?: () => void;
}

/**
 * The balance of this second in a bar; pressed, it opens the ledger. Where a bar has no room, the label goes, and then the unit: what is
 * in the bar beside it stays on the screen. Screen readers do not read ticking digits; the dashboard shows the
 * number as text.
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
