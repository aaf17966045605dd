import { LOGO_PATHS } from '@cord/contracts/drawing/logo';
import { cx } from '../class-names';
import { rem } from '../rem';
import s from './logo.module.css';

export interface LogoProps {
  /** px of the mark. */
  size?: number | undefined;
  /** With the name CORD beside it. */
  named?: boolean | undefined;
  className?: string | undefined;
}

/** The logo: a C of laid cord with a green end. */
export function Logo({ size = 32, named = false, className }: LogoProps) {
  return (
    <span className={cx(s.logo, className)} role="img" aria-label="CORD">
      <svg style={{ width: rem(size), height: rem(size) }} viewBox="0 0 24 24" aria-hidden="true">
        {LOGO_PATHS.map((d, index) => (
          <path key={d} d={d} fill={index === LOGO_PATHS.length - 1 ? 'var(--live)' : 'var(--accent)'} />
        ))}
      </svg>
      {named && (
        <span className={s.text} aria-hidden="true">
          CORD
        </span>
      )}
    </span>
  );
}
