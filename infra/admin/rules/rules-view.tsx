import type { AnnouncedBook, RuleProposal } from '@cord/contracts/http/rules';
import { bookAt, type RuleBook } from '@cord/contracts/rules/rule-book';
import { Loaded, useRules, useServerNow, useTabParam, useTexts, useToasts, useUserId } from '@cord/sdk';
import { Button, Card, cx, EmptyState, Row, Skeleton, Stack } from '@cord/ui';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { DecisionList } from '../room/decisions';
import d from '../room/decisions.module.css';
import { Facts } from '../room/facts';
import { minuteOfYear } from '../room/moments';
import { shortId } from '../room/short-id';
import { bookWith, changesOf, factsOf } from './numbers';
import s from './rules.module.css';
import { RulesForm } from './rules-form';
import { TEXTS } from './texts';
import { type RulesDecision, useDecide, useProposals } from './use-rules';

const NEW = 'new';

/** The earning rules: in force, announced, proposed; the form for new ones is at `?tab=admin&view=rules&rules=new`. */
export default function RulesView() {
  const t = useTexts(TEXTS);
  const [form, setForm] = useTabParam('rules');
  return (
    <Stack gap={16}>
      <Row as="header" gap="4px 16px" align="center" between wrap>
        <h1 className="t-h1">{t.title}</h1>
        <Button size="sm" icon={<Plus />} onClick={() => setForm(NEW)}>
          {t.newRules}
        </Button>
      </Row>
      <p className={d.about}>{t.about}</p>
      <Loaded query={useRules()} failed={t.failed} loading={<Skeleton height={420} />}>
        {({ books }) => <Books books={books} isNew={form === NEW} onClose={() => setForm(null)} />}
      </Loaded>
    </Stack>
  );
}

interface BooksProps {
  books: readonly AnnouncedBook[];
  isNew: boolean;
  onClose: () => void;
}

function Books({ books, isNew, onClose }: BooksProps) {
  const t = useTexts(TEXTS);
  const nowMs = useServerNow();
  const proposals = useProposals();
  const inForce = bookAt(books, nowMs);
  const last = books.at(-1) ?? inForce;
  const since = inForce.fromMs === 0 ? t.sinceStart : t.since({ time: timeOf(inForce.fromMs) });
  return (
    <>
      {isNew && <RulesForm key={last.version} last={last} onClose={onClose} />}
      <Card title={t.coming}>
        <Loaded query={proposals} failed={t.proposalsFailed} loading={<Skeleton height={72} />}>
          {({ proposals: open }) => <Coming {...{ books, open, last, nowMs }} />}
        </Loaded>
      </Card>
      <Card title={t.inForce} aside={since}>
        <Facts facts={factsOf(inForce, t)} />
      </Card>
    </>
  );
}

/** `28 Nov 2026, 01:25`, UTC. @param ms since epoch */
const timeOf = (ms: number): string => minuteOfYear(new Date(ms).toISOString());

interface ComingProps {
  books: readonly AnnouncedBook[];
  open: readonly RuleProposal[];
  /** The last announced rule book, to which proposals apply. */
  last: RuleBook;
  nowMs: number;
}

/** Proposals to decide, then announced changes. */
function Coming({ books, open, last, nowMs }: ComingProps) {
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
  /** When the change takes effect. */
  time: string;
  before: RuleBook;
  after: RuleBook;
  reason: string;
  sooner: string | null;
  /** When it was announced, or who proposed it and when. */
  fact: string;
  /** Buttons for the change. */
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
