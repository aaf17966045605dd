import type { AnnouncedBook, RuleProposal } from '@cord/contracts/http/rules';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { useTexts, useToasts, useUserId } from '@cord/sdk';
import { Button, cx, EmptyState, Row, Stack } from '@cord/ui';
import type { ReactNode } from 'react';
import { DecisionList } from '../room/decisions';
import d from '../room/decisions.module.css';
import { minuteOfYear } from '../room/moments';
import { shortId } from '../room/short-id';
import { bookWith, changesOf } from './numbers';
import s from './rules.module.css';
import { TEXTS } from './texts';
import { type RulesDecision, useDecide } from './use-rules';

/** `28 Nov 2026, 01:25`, UTC. @param ms since epoch */
export const timeOf = (ms: number): string => minuteOfYear(new Date(ms).toISOString());

interface ComingProps {
  books: readonly AnnouncedBook[];
  open: readonly RuleProposal[];
  /** The last announced book: what is proposed follows it. */
  last: RuleBook;
  nowMs: number;
}

/** What is proposed, to be decided; then what is announced. */
export function Coming({ books, open, last, nowMs }: ComingProps) {
  const t = useTexts(TEXTS);
  const own = useUserId();
  const { show } = useToasts();
  const sending = useDecide((_, { decision }) => show({ kind: 'success', title: t[`done.${decision}`] }));
  const announced = books.flatMap((book, n) => {
    const before = books[n - 1];
    return before && book.fromMs > nowMs ? [{ book, before }] : [];
  });
  if (open.length + announced.length === 0) return <EmptyState title={t.nothing} level={3} />;
  return (
    <DecisionList
      listed={open}
      about="proposal"
      idOf={({ id }) => id}
      panelOf={({ from, changes }, decision: RulesDecision) => ({
        title: t[`act.${decision}`]({ time: minuteOfYear(from) }),
        changes: decision === 'confirm' ? changesOf(last, bookWith(last, changes), t) : [],
      })}
      texts={t}
      sending={sending}
      after={announced.map(({ book, before }) => (
        <li key={book.version} data-testid="announced">
          <BookRow
            {...{ time: timeOf(book.fromMs), before, after: book, reason: book.reason, sooner: book.sooner }}
            fact={t.announced({ time: timeOf(book.announcedAtMs ?? book.fromMs) })}
          />
        </li>
      ))}
    >
      {({ from, changes, reason, sooner, proposedBy, proposedAt }, waits, choose) => {
        const isOwn = proposedBy === own;
        const time = minuteOfYear(from);
        const proposed = { time: minuteOfYear(proposedAt), id: shortId(proposedBy) };
        return (
          <>
            <BookRow
              {...{ time, before: last, after: bookWith(last, changes), reason, sooner }}
              fact={isOwn ? t.proposedByYou(proposed) : t.proposedBy(proposed)}
            >
              <Button
                size="sm"
                variant="secondary"
                needsServer
                disabled={waits || isOwn}
                disabledReason={isOwn ? t.secondOperator : undefined}
                aria-label={t.decideNamed({ decision: t.confirm, time })}
                onClick={() => choose('confirm')}
              >
                {t.confirm}
              </Button>
              <Button
                size="sm"
                variant="outline"
                needsServer
                disabled={waits}
                aria-label={t.decideNamed({ decision: t.withdraw, time })}
                onClick={() => choose('withdraw')}
              >
                {t.withdraw}
              </Button>
            </BookRow>
            {isOwn && <p className="t-note">{t.secondOperator}</p>}
          </>
        );
      }}
    </DecisionList>
  );
}

interface BookRowProps {
  /** When it takes effect. */
  time: string;
  before: RuleBook;
  after: RuleBook;
  reason: string;
  sooner: string | null;
  /** Who or when. */
  fact: string;
  /** What can be done about it. */
  children?: ReactNode;
}

function BookRow({ time, before, after, reason, sooner, fact, children }: BookRowProps) {
  const t = useTexts(TEXTS);
  return (
    <div className={d.row}>
      <div className="l-narrow t-break">
        <h3 className="t-strong" data-number>
          {t.fromOn({ time })}
        </h3>
        <Stack as="ul" gap={2} className={cx('t-small', s.changes)} data-number>
          {changesOf(before, after, t).map((change) => (
            <li key={change.what}>{t.change({ ...change })}</li>
          ))}
        </Stack>
        <p>{reason}</p>
        {sooner !== null && <p>{t.soonerBecause({ reason: sooner })}</p>}
        <p className="t-note" data-number>
          {fact}
        </p>
      </div>
      <Row gap={8} wrap>
        {children}
      </Row>
    </div>
  );
}
