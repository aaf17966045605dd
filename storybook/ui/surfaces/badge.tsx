import { CircleAlert, Hourglass, Medal, Pause, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../class-names';
import { Spinner } from '../feedback/spinner';
import { uiText } from '../ui-texts';
import s from './badge.module.css';

export type BadgeTone = 'plain' | 'live' | 'accent' | 'sky' | 'honor' | 'warn' | 'danger' | 'inverted';

export interface BadgeProps {
  tone?: BadgeTone | undefined;
  /** A lucide icon (16) or a shape; colour never stands alone. */
  icon?: ReactNode;
  children: ReactNode;
  className?: string | undefined;
}

/** A text on a tint. */
export function Badge({ tone = 'plain', icon, children, className }: BadgeProps) {
  return (
    <span className={cx(s.badge, className)} data-tone={tone}>
      {icon}
      {children}
    </span>
  );
}

export type NodeState = 'offline' | 'starting' | 'online' | 'stopping' | 'paused' | 'error';

const NODE_BADGES: Record<NodeState, { tone: BadgeTone; icon: () => ReactNode }> = {
  offline: { tone: 'plain', icon: () => <span className={s.ring} aria-hidden="true" /> },
  starting: { tone: 'plain', icon: () => <Spinner size={14} /> },
  online: { tone: 'live', icon: () => <span className={s.dot} aria-hidden="true" /> },
  stopping: { tone: 'plain', icon: () => <Spinner size={14} /> },
  paused: { tone: 'warn', icon: () => <Pause size={16} /> },
  error: { tone: 'danger', icon: () => <CircleAlert size={16} /> },
};

/** The state of a node in capitals: ONLINE, OFFLINE, PAUSED and what lies between. */
export function NodeBadge({ state }: { state: NodeState }) {
  const { tone, icon } = NODE_BADGES[state];
  return (
    <Badge tone={tone} icon={icon()}>
      {uiText(`node.${state}`)}
    </Badge>
  );
}

/** Somebody's node is running. */
export function MiningBadge() {
  return (
    <Badge tone="live" icon={<span className={s.dot} aria-hidden="true" />}>
      {uiText('mining')}
    </Badge>
  );
}

/** A holder of the Badge of Honor. */
export function HonorBadge({ children = uiText('honor') }: { children?: ReactNode }) {
  return (
    <Badge tone="honor" icon={<Medal size={16} />}>
      {children}
    </Badge>
  );
}

/** The signed-in user in a list. */
export function YouBadge() {
  return <Badge tone="inverted">{uiText('you')}</Badge>;
}

/** Something waits: an amount on hold, a payment being checked. */
export function WaitingBadge({ children }: { children: ReactNode }) {
  return (
    <Badge tone="warn" icon={<Hourglass size={16} />}>
      {children}
    </Badge>
  );
}

/** Something works, but not as it should. */
export function WarningBadge({ children }: { children: ReactNode }) {
  return (
    <Badge tone="warn" icon={<TriangleAlert size={16} />}>
      {children}
    </Badge>
  );
}

/** The category of a task; unknown categories are plain. */
export function CategoryBadge({ category, children }: { category: string; children?: ReactNode }) {
  const tone: BadgeTone = category === 'daily' ? 'accent' : category === 'weekly' ? 'sky' : 'plain';
  return <Badge tone={tone}>{children ?? category.charAt(0).toUpperCase() + category.slice(1)}</Badge>;
}
