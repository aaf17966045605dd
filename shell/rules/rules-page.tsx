import type { PublicRules } from '@cord/contracts/http/rules';
import { epochAt } from '@cord/contracts/rules/epochs';
import { rateNano, rateToNumber } from '@cord/contracts/rules/rate';
import { type BookNumber, bookAt, type RuleBook } from '@cord/contracts/rules/rule-book';
import { dateFormat, Loaded, multiplierText, usePageTitle, useRules, useSdk, useTexts } from '@cord/sdk';
import { BackButton, Card, Columns, cx, Fact, formatRate, PageHead, SkeletonRegion, Stack, ViewPage } from '@cord/ui';
import { useEffect } from 'react';
import { epochName } from '../session/epoch-name';
import { TAB_TEXTS } from '../tabs/texts';
import { numberText, tierName } from './changes';
import { Ahead, History } from './history';
import s from './rules-page.module.css';
import { RULES_TEXTS } from './texts';

/** Public page of the earning rules: `?tab=settings&view=rules`. @param onBack null without an app to return to */
export function RulesPage({ onBack }: { onBack: (() => void) | null }) {
  const t = useTexts(RULES_TEXTS);
  usePageTitle(t.title);
  const { title } = useTexts(TAB_TEXTS);
  useEffect(() => {
    // Without a sign-in no tab sets the document title.
    if (onBack === null) document.title = title({ tab: t.title });
  }, [onBack, title, t]);
  return (
    <ViewPage as={onBack === null ? 'main' : 'div'} className={cx(onBack === null && s.alone)} testId="rules">
      <PageHead
        title={t.title}
        back={onBack ? <BackButton onClick={onBack}>{t.back}</BackButton> : <BackButton href="/">{t.home}</BackButton>}
      >
        {t.intro}
      </PageHead>
      <Loaded
        query={useRules()}
        failed={t.failed}
        failedText={t.failedText}
        loading={<SkeletonRegion label={t.loading} heights={[320]} />}
        compact={false}
      >
        {(rules) => <Body {...rules} />}
      </Loaded>
    </ViewPage>
  );
}

function Body({ books, epochs }: PublicRules) {
  const nowMs = useSdk().clock.now();
  const book = bookAt(books, nowMs);
  const place = books.findIndex(({ version }) => version === book.version);
  const [before, next] = [books[place], books[place + 1]];
  return (
    <>
      {before && next && <Ahead book={next} before={before} />}
      <Columns align="start">
        <MiningNumbers book={book} epoch={epochAt(epochs, nowMs)} />
        <Stack gap="var(--gap)">
          <OtherNumbers book={book} />
          <History books={books} version={book.version} />
        </Stack>
      </Columns>
      <EpochNumbers epochs={epochs} />
    </>
  );
}

const utcDay = dateFormat({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

type Epoch = PublicRules['epochs'][number];

/** Mining numbers: base, badge, epoch, and the table of ages. */
function MiningNumbers({ book, epoch }: { book: RuleBook; epoch: Epoch | null }) {
  const t = useTexts(RULES_TEXTS);
  const plain = { antiCheatHundredths: 100n, badge: false, epochHundredths: 100n };
  return (
    <Card title={t.mining}>
      <dl>
        <Fact name={t.base}>{numberText('baseNano', book.baseNano)}</Fact>
        <Fact name={t.badge}>{numberText('badgeHundredths', book.badgeHundredths)}</Fact>
        {epoch && (
          <Fact name={t.epochNow({ name: epochName(epoch.name) })}>{multiplierText(epoch.multiplierHundredths)}</Fact>
        )}
      </dl>
      <table className={s.table}>
        <thead>
          <tr>
            <th scope="col">{t.accountAge}</th>
            <th scope="col">{t.multiplier}</th>
            <th scope="col">{t.rate}</th>
          </tr>
        </thead>
        <tbody>
          {book.tiers.map(({ fromYears, hundredths }) => (
            <tr key={fromYears}>
              <th scope="row">{tierName(fromYears)}</th>
              <td>{multiplierText(hundredths)}</td>
              <td>{formatRate(rateToNumber(rateNano(book, { tierHundredths: BigInt(hundredths), ...plain })))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={s.note}>{t.tiersNote}</p>
    </Card>
  );
}

/** Other sources of CORD. */
function OtherNumbers({ book }: { book: RuleBook }) {
  const t = useTexts(RULES_TEXTS);
  const shown = (number: BookNumber) => numberText(number, book[number]);
  return (
    <Card title={t.others}>
      <dl>
        <Fact name={t.checkin}>{shown('checkinMicro')}</Fact>
        <Fact name={t.streakStep}>{shown('streakStepMicro')}</Fact>
        <Fact name={t.streakMost}>{shown('streakMostMicro')}</Fact>
        <Fact name={t.task}>{t.taskText}</Fact>
        <Fact name={t.taskMost}>{shown('taskMostMicro')}</Fact>
        <Fact name={t.commission}>{shown('commissionPercent')}</Fact>
      </dl>
    </Card>
  );
}

/** All epochs, past and future. */
function EpochNumbers({ epochs }: { epochs: readonly Epoch[] }) {
  const t = useTexts(RULES_TEXTS);
  return (
    <Card title={t.epochs}>
      <table className={s.table}>
        <thead>
          <tr>
            <th scope="col">{t.epoch}</th>
            <th scope="col">{t.multiplier}</th>
            <th scope="col">{t.span}</th>
          </tr>
        </thead>
        <tbody>
          {epochs.map(({ id, name, multiplierHundredths, startAt, endAt }) => (
            <tr key={id}>
              <th scope="row">{epochName(name)}</th>
              <td>{multiplierText(multiplierHundredths)}</td>
              <td>
                <span className="t-line">{utcDay.format(startAt)}</span> –{' '}
                <span className="t-line">{utcDay.format(endAt)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={s.note}>{t.epochsNote}</p>
    </Card>
  );
}
