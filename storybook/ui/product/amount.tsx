import { cx } from '../class-names';
import { type CordValue, formatCord, formatK, formatRate, toMicro } from '../format';
import s from './amount.module.css';
import { TickingNumber } from './ticking-number';

export interface AmountProps {
  /** CORD as a number with at most 6 decimals, or micro-CORD as a bigint; null is not known (an en dash). */
  value: CordValue;
  /** cord 419.33, rate 1.925000, k 7,912.4K. */
  kind?: 'cord' | 'rate' | 'k' | undefined;
  /** After the number: CORD, CORD/min. */
  unit?: string | undefined;
  size?: 'inherit' | 'n20' | 'n24' | 'n32' | 'n44' | 'n64' | undefined;
  /** The number ticks: what a screen reader gets once a minute instead of the digits. */
  readerText?: string | undefined;
  /** Goes on the digits, with the plain number in `data-value`. */
  testId?: string | undefined;
}

const FORMATS = { cord: formatCord, rate: formatRate, k: formatK } as const;
const SIZES = { n20: 't-n20', n24: 't-n24', n32: 't-n32', n44: 't-n44', n64: 't-n64' } as const;

/** A number of CORD as it is written everywhere: truncated, grouped, never ended by an ellipsis. */
export function Amount({ value, kind = 'cord', unit, size = 'inherit', readerText, testId }: AmountProps) {
  const text = FORMATS[kind](value);
  return (
    <span className={cx('t-break', size !== 'inherit' && SIZES[size])}>
      <TickingNumber text={text} readerText={readerText} testId={testId} dataValue={plainNumber(value)} />
      {unit !== undefined && (
        <>
          {' '}
          <span className={s.unit}>{unit}</span>
        </>
      )}
    </span>
  );
}

/** The number without grouping, with up to 6 decimals; undefined when not known. */
function plainNumber(value: CordValue): string | undefined {
  const micro = toMicro(value);
  if (micro === null) return undefined;
  return typeof value === 'bigint' ? String(Number(value) / 1e6) : String(value);
}
