import { type ReactNode, useEffect, useRef } from 'react';
import { Stack } from './layout';

export interface ViewPageProps {
  /** `main` where it is the whole page. */
  as?: 'div' | 'main' | undefined;
  className?: string | undefined;
  testId?: string | undefined;
  children: ReactNode;
}

/** A full view within a tab. Whoever opens it, by hand or by keyboard, begins at its top. */
export function ViewPage({ as = 'div', className, testId, children }: ViewPageProps) {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => top.current?.focus({ preventScroll: true }), []);
  return (
    <Stack as={as} gap="var(--gap)" className={className} ref={top} tabIndex={-1} data-testid={testId}>
      {children}
    </Stack>
  );
}
