import type { ReactNode, RefObject } from 'react';
import { useCloseByBack } from './close-by-back';
import { watchFocus } from './focus-return';
import { usePrimitives } from './later-primitives';

export interface DialogProps {
  open: boolean;
  /** Called with false by Escape, the scrim and the close button. */
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  titleHidden?: boolean | undefined;
  /** Under the title. */
  description?: ReactNode;
  /** Before the title: the Discord mark, an icon tile. */
  mark?: ReactNode;
  /** Takes the place of the title row's left side, with `titleHidden`: a badge. */
  lead?: ReactNode;
  children?: ReactNode;
  /** Buttons; the safe or next step comes last and gets the focus by `initialFocus`. */
  footer?: ReactNode;
  /** What gets the focus when it opens; without it the first control of the body, else the last button of the footer. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** px; 400 for questions, 600 for steps. */
  width?: number | undefined;
  /** Leaves out the close button; Escape still closes. */
  closeHidden?: boolean | undefined;
  /** Refuses Escape and the scrim, while something must not be interrupted. */
  locked?: boolean | undefined;
  closeLabel?: string | undefined;
  testId?: string | undefined;
}

// Where no shell has done so: the catalogue, tests.
watchFocus();

/** A modal dialog; below 768 px a sheet from below. */
export function Dialog(given: DialogProps) {
  const { open, onOpenChange, locked = false } = given;
  useCloseByBack(open, () => locked || onOpenChange(false));
  const Drawn = usePrimitives(open, () => onOpenChange(false))?.DrawnDialog;
  return Drawn === undefined ? null : <Drawn {...given} />;
}
