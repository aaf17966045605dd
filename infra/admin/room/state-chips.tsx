import { ChipGroup } from '@cord/ui';

interface StateChipsProps<S extends string> {
  label: string;
  /** Texts of the view. */
  texts: Readonly<Record<`states.${S}`, string>>;
  /** The states that may be listed. */
  of: readonly S[];
  value: S;
  onChange: (state: S) => void;
  className?: string;
}

/** Selects the listed state. */
export function StateChips<S extends string>({ texts, of, ...rest }: StateChipsProps<S>) {
  const options = of.map((value) => ({ value, label: texts[`states.${value}`] }));
  return <ChipGroup options={options} {...rest} />;
}
