import { DAY_MS, dayStartOf } from '@cord/contracts/rules/days';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { dateFormat, useRuleBook, useTexts } from '@cord/sdk';
import { Badge, Card, CordLine } from '@cord/ui';
import { Check } from 'lucide-react';
import s from './milestones.module.css';
import { payText } from './pay-text';
import { Knot } from './streak-calendar';
import { fullFromDay, MILESTONES, type Milestone, milestonesOf, payOf } from './streak-days';
import { TEXTS } from './texts';
import type { CheckedDay, CheckinStatus } from './use-checkin';

const ADDS = { base: 1, age: 2 };
const LAST = MILESTONES[MILESTONES.length - 1] ?? 1;
const utc = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
const day = dateFormat(utc);
const dayAndYear = dateFormat({ ...utc, year: 'numeric' });

/** Marks to reach, and where the present streak stands among them. */
export function Milestones({ status, history }: { status: CheckinStatus; history: readonly CheckedDay[] }) {
  const t = useTexts(TEXTS);
  const book = useRuleBook();
  const marks = milestonesOf(status, history);
  return (
    <Card title={t.milestones} aside={<span className="t-label">{t.milestonesNote}</span>}>
      <div className={s.line} aria-hidden="true">
        {status.currentStreak > 0 && (
          <span className={s.cord} style={{ width: at(Math.min(status.currentStreak, LAST)) }}>
            <CordLine thickness={14} adds={ADDS} />
          </span>
        )}
        {marks.map((mark) => (
          <span key={mark.day} className={s.mark} style={{ left: at(mark.day) }}>
            <Knot state={mark.toGo === 0 ? 'done' : 'next'} />
          </span>
        ))}
      </div>
      <ul className="l-lines">
        {marks.map((mark) => (
          <li key={mark.day} className={s.row}>
            <strong className="t-600">{t.daysOf({ count: mark.day })}</strong>
            <span className={s.text}>{textOf(book, mark, dayStartOf(status.dayKey))}</span>
            {mark.toGo === 0 ? (
              <Badge tone="accent" icon={<Check size={16} aria-hidden="true" />}>
                {t.reached}
              </Badge>
            ) : (
              <Badge>{t.checkinsToGo({ count: mark.toGo })}</Badge>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Where a day stands on the line: by its root, so that the first marks do not lie on top of each other. */
function at(days: number): string {
  return `calc(${Math.sqrt(days / LAST)} * (100% - 32px))`;
}

function textOf(book: RuleBook, mark: Milestone, todayMs: number): string {
  const t = TEXTS.get();
  const yearOf = (ms: number) => new Date(ms).getUTCFullYear();
  const dateOf = (ms: number) => (yearOf(ms) === yearOf(todayMs) ? day : dayAndYear).format(ms);
  const date = dateOf(mark.atMs);
  if (mark.toGo === 0) return t.reachedOn({ date, day: mark.day, amount: payText(payOf(book, mark.day)) });
  const ahead = (mark.atMs - todayMs) / DAY_MS;
  const when = ahead === 0 ? t.onToday : ahead === 1 ? t.onTomorrow : t.ifKept({ date });
  const next =
    mark.day === fullFromDay(book) ? t.fullFrom({ when, day: mark.day, amount: payText(payOf(book, mark.day)) }) : when;
  if (mark.beforeAtMs === undefined) return next;
  if (mark.beforeAtMs === null) return t.reachedBeforeNext({ next });
  return t.reachedBeforeOn({ date: dateOf(mark.beforeAtMs), next });
}
