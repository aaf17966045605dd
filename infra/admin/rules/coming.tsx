import type { AnnouncedBook, RuleProposal } from '@cord/contracts/http/rules';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { useTexts, useToasts, useUserId } from '@cord/sdk';
import { Button, cx, EmptyState, Row, Stack } from '@cord/ui';
import { type ReactNode, useState } from 'react';
import { ConfirmPanel } from '../room/confirm-panel';
import d from '../room/decisions.module.css';
import { minuteOfYear } from '../room/moments';
import { shortId } from '../room/short-id';
import { bookWith, changesOf } from './numbers';
import s from './rules.module.css';
import { TEXTS } from './texts';
import { type Decision, useDecide } from './use-rules';

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
  const [chosen, setChosen] = useState<Omit<Decision, 'reason'> | null>(null);
  const decide = useDecide(() => {
    if (chosen) show({ kind: 'success', title: t[`done.${chosen.decision}`] });
    setChosen(null);
  });
  const announced = books.flatMap((book, n) => {
    const before = books[n - 1];
    return before && book.fromMs > nowMs ? [{ book, before }] : [];
  });
  if (open.length + announced.length === 0) return <EmptyState title={t.nothing} level={3} />;
  const waits = open.some(({ id }) => id === chosen?.id);
  return (
    <ul className={d.rows}>
      {open.map(({ id, from, changes, reason, sooner, proposedBy, proposedAt }) => {
        const isOwn = proposedBy === own;
        const after = bookWith(last, changes);
        const time = minuteOfYear(from);
        const proposed = { time: minuteOfYear(proposedAt), id: shortId(proposedBy) };
        return (
          <li key={id} data-testid="proposal">
            <BookRow
              {...{ time, before: last, after, reason, sooner }}
              fact={isOwn ? t.proposedByYou(proposed) : t.proposedBy(proposed)}
            >
              <Button
                size="sm"
                variant="secondary"
                needsServer
                disabled={waits || isOwn}
                disabledReason={isOwn ? t.secondOperator : undefined}
                aria-label={t.decideNamed({ decision: t.confirm, time })}
                onClick={() => setChosen({ id, decision: 'confirm' })}
              >
                {t.confirm}
              </Button>
              <Button
                size="sm"
                variant="outline"
                needsServer
                disabled={waits}
                aria-label={t.decideNamed({ decision: t.withdraw, time })}
                onClick={() => setChosen({ id, decision: 'withdraw' })}
              >
                {t.withdraw}
              </Button>
            </BookRow>
            {isOwn && <p className="t-note">{t.secondOperator}</p>}
            {chosen?.id === id && (
              <ConfirmPanel
                about={`rules-${id}`}
                title={t[`act.${chosen.decision}`]({ time })}
                changes={chosen.decision === 'confirm' ? changesOf(last, after, t) : []}
                note={t[`note.${chosen.decision}`]}
                confirmText={t[chosen.decision]}
                busyText={t.deciding}
                busy={decide.isPending}
                error={decide.error}
                failedText={t.actFailed}
                onConfirm={(why) => decide.press({ ...chosen, reason: why })}
                onClose={() => setChosen(null)}
              />
            )}
          </li>
        );
      })}
      {announced.map(({ book, before }) => (
        <li key={book.version} data-testid="announced">
          <BookRow
            {...{ time: timeOf(book.fromMs), before, after: book, reason: book.reason, sooner: book.sooner }}
            fact={t.announced({ time: timeOf(book.announcedAtMs ?? book.fromMs) })}
          />
        </li>
      ))}
    </ul>
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
