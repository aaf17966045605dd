import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from '../class-names';
import { Stack } from './layout';
import s from './view-page.module.css';

export interface ViewPageProps {
  /** `main` if it is the whole page. */
  as?: 'div' | 'main' | undefined;
  className?: string | undefined;
  testId?: string | undefined;
  children: ReactNode;
}

/** A full view within a tab. Scroll position and focus start at its top. */
export function ViewPage({ as = 'div', className, testId, children }: ViewPageProps) {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => top.current?.focus({ preventScroll: true }), []);
  return (
    <Stack as={as} gap="var(--gap)" className={className} ref={top} tabIndex={-1} data-testid={testId}>
      {children}
    </Stack>
  );
}

export interface PageHeadProps {
  title: ReactNode;
  /** The back button above the title. */
  back?: ReactNode;
  className?: string | undefined;
  /** A sentence below the title. */
  children: ReactNode;
}

/** The head of a page: title and one sentence. */
export function PageHead({ title, back, className, children }: PageHeadProps) {
  return (
    <header className={cx(s.head, className)}>
      {back}
      <h1 className="t-h1">{title}</h1>
      <p className={s.text}>{children}</p>
    </header>
  );
}
