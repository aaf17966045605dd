import type { ReactNode } from 'react';
import { PartedCord } from '../cord/cord-line';
import s from './empty-state.module.css';

export interface EmptyStateProps {
  /** No tasks available, No miners found, No friends yet. */
  title: string;
  /** One sentence: the next step, or when it changes. */
  children?: ReactNode;
  /** One small secondary button. */
  action?: ReactNode;
  /** Level of the title; 3 inside a card with a heading. */
  level?: 2 | 3 | undefined;
}

/** A parted piece of plain cord, one title, one sentence, one button. */
export function EmptyState({ title, children, action, level = 3 }: EmptyStateProps) {
  const Title = level === 2 ? 'h2' : 'h3';
  return (
    <div className={s.empty}>
      <PartedCord />
      <Title className={s.title}>{title}</Title>
      {children !== undefined && <p className={s.text}>{children}</p>}
      {action !== undefined && <div className={s.action}>{action}</div>}
    </div>
  );
}
