import type { ReactNode } from 'react';
import { cx } from '../class-names';
import s from './page-head.module.css';

export interface PageHeadProps {
  title: ReactNode;
  /** The way out of a view, over its title. */
  back?: ReactNode;
  className?: string | undefined;
  /** A sentence under the title. */
  children: ReactNode;
}

/** What a page is. */
export function PageHead({ title, back, className, children }: PageHeadProps) {
  return (
    <header className={cx(s.head, className)}>
      {back}
      <h1 className="t-h1">{title}</h1>
      <p className={s.text}>{children}</p>
    </header>
  );
}
