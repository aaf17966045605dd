import { type ReactNode, useEffect, useRef } from 'react';

export interface ViewPageProps {
  className?: string | undefined;
  testId?: string | undefined;
  children: ReactNode;
}

/** A full view within a tab. Whoever opens it, by hand or by keyboard, begins at its top. */
export function ViewPage({ className, testId, children }: ViewPageProps) {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => top.current?.focus({ preventScroll: true }), []);
  return (
    <div className={className} ref={top} tabIndex={-1} data-testid={testId}>
      {children}
    </div>
  );
}
