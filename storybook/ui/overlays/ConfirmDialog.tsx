import type { ReactNode } from 'react';
import { usePrimitives } from './later-primitives';

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What happens. */
  description: ReactNode;
  /** What goes and what stays, one line each with rules between. */
  consequences?: readonly ReactNode[] | undefined;
  /** The word on the confirming button: Sign Out, Delete account. */
  confirmText: string;
  /** While `busy`: Signing out, Deleting. */
  busyText?: string | undefined;
  cancelText?: string | undefined;
  /** Danger: red button, the focus is on Cancel. Otherwise the focus is on the next step. */
  danger?: boolean | undefined;
  /** To be typed before the button works: the user name. */
  typed?: string | undefined;
  typedLabel?: string | undefined;
  busy?: boolean | undefined;
  /** Why the last try failed. */
  error?: ReactNode;
  onConfirm: () => void;
}

/** A question with two answers. It stays open until the caller closes it, so that failures can be shown. */
export function ConfirmDialog(given: ConfirmDialogProps) {
  const Drawn = usePrimitives(given.open, () => given.onOpenChange(false))?.DrawnConfirm;
  return Drawn === undefined ? null : <Drawn {...given} />;
}
