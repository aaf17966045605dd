import { Check } from 'lucide-react';
import { useId } from 'react';
import { cx } from '../class-names';
import { formatCount } from '../format';
import s from './chip.module.css';

export interface ChipOption<V extends string = string> {
  value: V;
  label: string;
  /** Number of items; omitted while unknown. */
  count?: number | null | undefined;
}

export interface ChipGroupProps<V extends string = string> {
  /** Accessible name of the choice: "Task category". */
  label: string;
  value: V;
  options: readonly ChipOption<V>[];
  onChange: (value: V) => void;
  className?: string | undefined;
}

/** A single choice among few: the selected chip is inverted and has a check mark. Scrolls sideways on phones. */
export function ChipGroup<V extends string>({ label, value, options, onChange, className }: ChipGroupProps<V>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={cx(s.group, className)}>
      {options.map((option) => (
        <label key={option.value} className={s.chip}>
          {/* Invisible and as large as the chip: it handles press, focus and keys like any radio button. */}
          <input
            type="radio"
            className="l-held l-cover"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.value === value && <Check size={16} />}
          <span>{option.label}</span>
          {typeof option.count === 'number' && <span className={s.count}>{formatCount(option.count)}</span>}
        </label>
      ))}
    </div>
  );
}
