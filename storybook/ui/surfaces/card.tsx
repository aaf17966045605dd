import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../class-names';
import s from './card.module.css';

export interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  /** A heading of level 2 in the card's head; the card is then a named region. */
  title?: ReactNode;
  /** At the right of the head: a badge, a link, a small text. */
  aside?: ReactNode;
  /** `none` for panels whose rows reach the border (tables, cells). */
  padding?: 'card' | 'none' | undefined;
  /** `edge` marks something to act on, `flat` what is done. */
  look?: 'plain' | 'edge' | 'flat' | undefined;
}

/** A panel with a border and no shadow. */
export function Card({ title, aside, padding = 'card', look = 'plain', className, children, ...rest }: CardProps) {
  return (
    <section {...rest} className={cx(s.card, s[look], padding === 'card' && s.padded, className)}>
      {(title !== undefined || aside !== undefined) && (
        <header className={cx(s.head, padding === 'none' && s.headPadded)}>
          {title !== undefined && <h2 className="t-h2">{title}</h2>}
          {aside !== undefined && <div className="t-label">{aside}</div>}
        </header>
      )}
      {children}
    </section>
  );
}
