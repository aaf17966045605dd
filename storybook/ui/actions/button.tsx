import { type ComponentProps, type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { cx } from '../class-names';
import { Spinner } from '../feedback/spinner';
import { VisuallyHidden } from '../feedback/visually-hidden';
import { uiText } from '../ui-texts';
import { useShutReason } from './action-gate';
import s from './button.module.css';

/** `outline` is the trigger of something dangerous; `danger` stands in confirm dialogs only. */
export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'outline' | 'ghost';
export type ButtonSize = 'sm' | 'md' | 'lg';

export interface ButtonLook {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  /** Before the text. */
  icon?: ReactNode;
  /** After the text. */
  trailingIcon?: ReactNode;
  /** As wide as its place. */
  block?: boolean | undefined;
}

export interface ButtonProps extends ButtonLook, Omit<ComponentProps<'button'>, 'disabled'> {
  /** Stays focusable and is marked (aria-disabled); clicks do nothing. */
  disabled?: boolean | undefined;
  /** Why it is disabled, read by screen readers; show it near the button too. */
  disabledReason?: string | undefined;
  /** It does nothing without the server: while that is out of reach it is disabled and shows why. */
  needsServer?: boolean | undefined;
  loading?: boolean | undefined;
  /** What it shows while loading, such as `Claiming`; the width never shrinks below the idle one. */
  loadingText?: ReactNode;
}

/** The classes of a button, for links that look like one. */
export function buttonClass({ variant = 'secondary', size = 'md', block }: ButtonLook): string {
  return cx(s.button, s[variant], s[size], block && s.block);
}

/** One primary in a region: for what pays or starts. Everything else is secondary or ghost. */
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
  // One element whatever it shows: a button that changes under the finger keeps the focus.
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
 * Keeps a button at least as wide while loading as it was before. Measured as the loading begins, while the idle text still
 * stand: a measurement after every render would lay the page out once for each of its buttons.
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
