import type { AnnouncedBook } from '@cord/contracts/http/rules';
import { dateFormat, useServerRate, useTexts } from '@cord/sdk';
import { Badge, Card, formatRate, Notice, Row, Stack } from '@cord/ui';
import { CalendarClock } from 'lucide-react';
import { changesOf } from './changes';
import s from './rules-page.module.css';
import { RULES_TEXTS } from './texts';

const moment = dateFormat({
  ...({ day: 'numeric', month: 'long', year: 'numeric' } as const),
  ...({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const),
});

/** Formats `30 November 2026, 12:00 CET` in local time. */
export const formatMoment = (ms: number): string => moment.format(ms);

/** The next announced change, with a signed-in user's rate before and after it. */
export function Ahead({ book, before }: { book: AnnouncedBook; before: AnnouncedBook }) {
  const t = useTexts(RULES_TEXTS);
  return (
    <Notice
      tone="sky"
      icon={<CalendarClock />}
      title={t.ahead({ when: formatMoment(book.fromMs) })}
      testId="rules-ahead"
    >
      <OwnRate />
      <Why book={book} />
      <Changes before={before} after={book} />
    </Notice>
  );
}

/** "2.1 CORD/min before, 2.4 from then on"; nothing without a sign-in. */
export function OwnRate() {
  const t = useTexts(RULES_TEXTS);
  const change = useServerRate()?.rulesChange;
  if (!change) return null;
  const rate = formatRate(change.rate);
  const when = formatMoment(Date.parse(change.from));
  const text =
    change.rate === change.nextRate
      ? t.yourRateSame({ rate })
      : t.yourRateText({ rate, next: formatRate(change.nextRate), when });
  return (
    <p data-testid="own-rate-change">
      <strong>{t.yourRate}</strong> {text}
    </p>
  );
}

/** All books, newest first: start, reason, and changes. */
export function History({ books, version }: { books: readonly AnnouncedBook[]; version: number }) {
  const t = useTexts(RULES_TEXTS);
  return (
    <Card title={t.history}>
      <Stack as="ol" gap={16}>
        {books
          .map((book, index) => (
            <li key={book.version}>
              <Row as="h3" className="t-strong" gap={8} wrap>
                {index === 0 ? t.first : t.version({ version: book.version, when: formatMoment(book.fromMs) })}
                {book.version === version && <Badge tone="accent">{t.inForce}</Badge>}
                {book.version > version && <Badge>{t.announcedBadge}</Badge>}
              </Row>
              {index === 0 ? <p>{t.firstText}</p> : <Why book={book} />}
              {index > 0 && <Changes before={books[index - 1] as AnnouncedBook} after={book} />}
            </li>
          ))
          .reverse()}
      </Stack>
      <p className={s.note}>{t.pinned}</p>
    </Card>
  );
}

function Why({ book: { announcedAtMs, reason, sooner } }: { book: AnnouncedBook }) {
  const t = useTexts(RULES_TEXTS);
  return (
    <>
      <p className="t-break">{reason}</p>
      {announcedAtMs !== null && <p>{t.announced({ when: formatMoment(announcedAtMs) })}</p>}
      {sooner !== null && <p>{t.sooner({ reason: sooner })}</p>}
    </>
  );
}

function Changes({ before, after }: { before: AnnouncedBook; after: AnnouncedBook }) {
  const t = useTexts(RULES_TEXTS);
  return (
    <ul className={s.changes}>
      {changesOf(before, after).map((change) => (
        <li key={change.what}>{t.change({ ...change })}</li>
      ))}
    </ul>
  );
}
