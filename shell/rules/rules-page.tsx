import { epochAt } from '@cord/contracts/rules/epochs';
import { bookAt } from '@cord/contracts/rules/rule-book';
import { useRules, useSdk, useTexts } from '@cord/sdk';
import { Button, ButtonLink, cx, Skeleton, SkeletonRegion, TabErrorPanel } from '@cord/ui';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Ahead, History } from './history';
import { EpochNumbers, MiningNumbers, OtherNumbers } from './numbers';
import s from './rules-page.module.css';
import { RULES_TEXTS } from './texts';

/** The rules by which CORD is earned, for everybody: `?tab=settings&view=rules`. @param onBack null where there is no app to go back to */
export function RulesPage({ onBack }: { onBack: (() => void) | null }) {
  const t = useTexts(RULES_TEXTS);
  const top = useRef<HTMLElement & HTMLDivElement>(null);
  // Whoever comes by a button or by keyboard begins at the top.
  useEffect(() => top.current?.focus({ preventScroll: true }), []);
  const Frame = onBack === null ? 'main' : 'div';
  const icon = <ArrowLeft aria-hidden="true" />;
  return (
    <Frame className={cx(s.page, onBack === null && s.alone)} ref={top} tabIndex={-1} data-testid="rules">
      <header className={s.head}>
        {onBack ? (
          <Button variant="ghost" size="sm" className={s.back} icon={icon} onClick={onBack}>
            {t.back}
          </Button>
        ) : (
          <ButtonLink variant="ghost" size="sm" className={s.back} icon={icon} href="/">
            {t.home}
          </ButtonLink>
        )}
        <h1 className="t-h1">{t.title}</h1>
        <p className={s.intro}>{t.intro}</p>
      </header>
      <Body />
    </Frame>
  );
}

function Body() {
  const t = useTexts(RULES_TEXTS);
  const { clock } = useSdk();
  const { data, error, refetch, isFetching } = useRules();
  if (data === undefined) {
    if (error !== null)
      return (
        <TabErrorPanel title={t.failed} onRetry={() => void refetch()} retrying={isFetching}>
          {t.failedText}
        </TabErrorPanel>
      );
    return (
      <SkeletonRegion label={t.loading}>
        <Skeleton height={320} />
      </SkeletonRegion>
    );
  }
  const nowMs = clock.now();
  const { books, epochs } = data;
  const book = bookAt(books, nowMs);
  const place = books.findIndex(({ version }) => version === book.version);
  const [before, next] = [books[place], books[place + 1]];
  return (
    <>
      {before && next && <Ahead book={next} before={before} />}
      <div className={s.columns}>
        <MiningNumbers book={book} epoch={epochAt(epochs, nowMs)} />
        <div className={s.side}>
          <OtherNumbers book={book} />
          <History books={books} version={book.version} />
        </div>
      </div>
      <EpochNumbers epochs={epochs} />
    </>
  );
}
