import { type ComponentProps, type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { cx } from '../class-names';
import { Spinner } from '../feedback/spinner';
import { VisuallyHidden } from '../feedback/visually-hidden';
import { uiText } from '../ui-texts';
import { useShutReason } from './action-gate';
import s from './button.module.css';

/** `outline` opens something dangerous; `danger` is used only in confirm dialogs. */
export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'outline' | 'ghost';
export type ButtonSize = 'sm' | 'md' | 'lg';

export interface ButtonLook {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  /** Before the text. */
  icon?: ReactNode;
  /** After the text. */
  trailingIcon?: ReactNode;
  /** Takes the full width. */
  block?: boolean | undefined;
}

export interface ButtonProps extends ButtonLook, Omit<ComponentProps<'button'>, 'disabled'> {
  /** Sets aria-disabled: the button stays focusable, and clicks do nothing. */
  disabled?: boolean | undefined;
  /** Why it is disabled, read by screen readers; show it near the button too. */
  disabledReason?: string | undefined;
  /** Needs the server: while that is unreachable, the button is disabled and shows why. */
  needsServer?: boolean | undefined;
  loading?: boolean | undefined;
  /** Text while loading, such as `Claiming`; the width never shrinks below the idle one. */
  loadingText?: ReactNode;
}

/** The classes of a button, for links that look like one. */
export function buttonClass({ variant = 'secondary', size = 'md', block }: ButtonLook): string {
  return cx(s.button, s[variant], s[size], block && s.block);
}

/** A button. Use one primary per region, for the action that pays or starts; all others are secondary or ghost. */
export function Button({
  variant,
  size,
  icon,
  trailingIcon,
  block,
  disabled: ownDisabled = false,
  disabledReason: ownReason,
  needsServer = false,
  loading = false,
  loadingText,
  className,
  children,
  onClick,
  ref,
  type = 'button',
  'aria-describedby': describedBy,
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const own = useRef<HTMLButtonElement>(null);
  useKeptWidth(own, loading);
  const shut = useShutReason(needsServer);
  const disabled = ownDisabled || shut !== undefined;
  const disabledReason = shut ?? ownReason;
  const inert = disabled || loading;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (inert) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    onClick?.(event);
  };
  const withReason = disabled && disabledReason !== undefined;
  // Always the same element, so that the button keeps the focus when its content changes.
  return (
    <>
      <button
        {...rest}
        type={type}
        ref={(node) => {
          own.current = node;
          if (typeof ref === 'function') return ref(node);
          if (ref) ref.current = node;
        }}
        className={cx(buttonClass({ variant, size, block }), loading && s.loading, className)}
        aria-disabled={inert || undefined}
        aria-busy={loading || undefined}
        aria-describedby={cx(describedBy, withReason && reasonId) || undefined}
        title={withReason ? disabledReason : rest.title}
        onClick={press}
      >
        {loading ? <Spinner /> : icon}
        {loading && loadingText !== undefined ? loadingText : children}
        {loading ? null : trailingIcon}
      </button>
      {withReason && <VisuallyHidden id={reasonId}>{disabledReason}</VisuallyHidden>}
    </>
  );
}

/**
 * Keeps a button at least as wide while loading as before. It is measured when loading begins, while the idle text is still
 * shown: a measurement after every render would force a layout for each button.
 */
function useKeptWidth(ref: { current: HTMLButtonElement | null }, loading: boolean) {
  const idleWidth = useRef(0);
  const wasLoading = useRef(false);
  if (loading && !wasLoading.current) idleWidth.current = ref.current?.offsetWidth ?? 0;
  useLayoutEffect(() => {
    wasLoading.current = loading;
    const node = ref.current;
    if (loading && idleWidth.current > 0) node?.style.setProperty('--idle-width', `${idleWidth.current}px`);
    else node?.style.removeProperty('--idle-width');
  }, [ref, loading]);
}

export interface ButtonLinkProps extends ButtonLook, ComponentProps<'a'> {
  href: string;
  /** Opens in a new tab, and names it to screen readers. */
  external?: boolean | undefined;
}

/** A link that looks like a button. */
export function ButtonLink({
  variant,
  size,
  icon,
  trailingIcon,
  block,
  external = false,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <a
      {...rest}
      {...(external ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
      className={cx(buttonClass({ variant, size, block }), className)}
    >
      {icon}
      {children}
      {external && <VisuallyHidden>{uiText('newTab')}</VisuallyHidden>}
      {trailingIcon}
    </a>
  );
}
