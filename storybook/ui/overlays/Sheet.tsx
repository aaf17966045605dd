import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../classNames';
import { useCloseByBack } from './close-by-back';
import { watchFocus } from './focus-return';
import { usePrimitives } from './later-primitives';
import s from './Sheet.module.css';

export interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Its name, shown unless `head` takes its place. */
  title: string;
  /** Avatar and name. */
  head?: ReactNode;
  children: ReactNode;
  closeLabel?: string | undefined;
  testId?: string | undefined;
}

// Where no shell has done so: the catalogue, tests.
watchFocus();

/** A sheet from below for the mobile menu; 44 px rows. */
export function Sheet(given: SheetProps) {
  const { open, onOpenChange } = given;
  useCloseByBack(open, () => onOpenChange(false));
  const Drawn = usePrimitives(open, () => onOpenChange(false))?.DrawnSheet;
  return Drawn === undefined ? null : <Drawn {...given} />;
}

export interface SheetItemProps extends ComponentProps<'button'> {
  icon: ReactNode;
  /** At the right: a badge, "2 to claim", "Dark". */
  aside?: ReactNode;
  /** The current tab. */
  current?: boolean | undefined;
}

/** A row of a sheet. */
export function SheetItem({ icon, aside, current = false, className, children, ...rest }: SheetItemProps) {
  return (
    <button
      type="button"
      {...rest}
      className={cx(s.item, current && s.current, className)}
      aria-current={current ? 'page' : undefined}
    >
      {icon}
      <span className={s.word}>{children}</span>
      {aside !== undefined && <span className={s.aside}>{aside}</span>}
    </button>
  );
}

/** A rule between groups of rows. */
export function SheetRule() {
  return <hr className={s.rule} />;
}
