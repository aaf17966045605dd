import { Check } from 'lucide-react';
import { ToggleGroup } from 'radix-ui';
import { cx } from '../classNames';
import { formatCount } from '../format';
import s from './Chip.module.css';

export interface ChipOption<V extends string = string> {
  value: V;
  label: string;
  /** How many there are; left out when not known. */
  count?: number | null | undefined;
}

export interface ChipGroupProps<V extends string = string> {
  /** What is chosen here, for screen readers: "Task category". */
  label: string;
  value: V;
  options: readonly ChipOption<V>[];
  onChange: (value: V) => void;
  className?: string | undefined;
}

/** A single choice among few: the selected one is inverted with a check. Scrolls sideways on phones. */
export function ChipGroup<V extends string>({ label, value, options, onChange, className }: ChipGroupProps<V>) {
  return (
    <ToggleGroup.Root
      type="single"
      value={value}
      aria-label={label}
      // Clicking the selected chip answers '': one chip always stays selected.
      onValueChange={(next) => next && onChange(next as V)}
      className={cx(s.group, className)}
    >
      {options.map((option) => (
        <ToggleGroup.Item key={option.value} value={option.value} className={s.chip}>
          {option.value === value && <Check size={16} aria-hidden="true" />}
          <span>{option.label}</span>
          {typeof option.count === 'number' && <span className={s.count}>{formatCount(option.count)}</span>}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
