import { useTexts } from '@cord/sdk';
import { Card, CategoryBadge, type CordValue, formatCord, Progress, Row } from '@cord/ui';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import s from './task-card.module.css';
import { TEXTS } from './texts';

export type TaskCardState = 'open' | 'claimable' | 'completed';

interface TaskCardProps {
  title: string;
  /** One line. */
  description: ReactNode;
  /** daily, weekly, social, achievement; others are shown unchanged. */
  category: string;
  /** Category in the reader's language. */
  categoryText?: string | undefined;
  reward: CordValue;
  /** 0 to 100. */
  percent: number | null;
  /** "640.12 of 1,000.00", "Visited", "Not visited yet". */
  progressText: ReactNode;
  state: TaskCardState;
  /** One action: a block button; a social task adds a small Visit. Icon and text when no action is possible yet. */
  action?: ReactNode;
  /** Completion date: "4 Oct". */
  completedOn?: string | undefined;
  testId?: string | undefined;
}

/** Category, reward, title, one line, progress, one action. */
export function TaskCard({
  title,
  description,
  category,
  categoryText,
  reward,
  percent,
  progressText,
  state,
  action,
  completedOn,
  testId,
}: TaskCardProps) {
  const t = useTexts(TEXTS);
  const done = state === 'completed';
  return (
    <Card
      className={s.card}
      look={state === 'claimable' ? 'edge' : done ? 'flat' : 'plain'}
      aria-label={title}
      data-testid={testId}
      data-state={state}
    >
      <Row gap={8} align="center" between>
        <CategoryBadge category={category}>{categoryText}</CategoryBadge>
        <span className="t-label">
          <strong className={s.reward}>{formatCord(reward, { signed: true })}</strong> CORD
        </span>
      </Row>
      <h3 className={s.title}>{title}</h3>
      <p className={s.text}>{description}</p>
      <div className={s.progress}>
        <Progress percent={done ? 100 : percent} label={progressText} tone={done ? 'live' : 'bar'} />
      </div>
      <div className={s.action}>
        {done ? (
          <Row as="p" gap={8} align="center" className="l-whole t-600 c-live">
            <CircleCheck size={18} />
            <span>{t.completed}</span>
            {completedOn !== undefined && <span className={s.date}>{completedOn}</span>}
          </Row>
        ) : (
          action
        )}
      </div>
    </Card>
  );
}

/** Icon and text in place of the action: "Resets in 1 d 12 h", "2 social tasks to go". */
export function TaskHint({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <Row as="p" gap={8} align="center" className="t-note">
      {icon}
      <span>{children}</span>
    </Row>
  );
}
