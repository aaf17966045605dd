import type { PublicRules } from '@cord/contracts/http/rules';
import { epochAt } from '@cord/contracts/rules/epochs';
import { bookAt } from '@cord/contracts/rules/rule-book';
import { Loaded, usePageTitle, useRules, useSdk, useTexts } from '@cord/sdk';
import { BackButton, Columns, cx, PageHead, Skeleton, SkeletonRegion, Stack, ViewPage } from '@cord/ui';
import { useEffect } from 'react';
import { Ahead, History } from './history';
import { EpochNumbers, MiningNumbers, OtherNumbers } from './numbers';
import s from './rules-page.module.css';
import { RULES_TEXTS } from './texts';

/** The rules by which CORD is earned, for everybody: `?tab=settings&view=rules`. @param onBack null where there is no app to go back to */
export function RulesPage({ onBack }: { onBack: (() => void) | null }) {
  const t = useTexts(RULES_TEXTS);
  usePageTitle(t.title);
  useEffect(() => {
    // Without a sign-in there is no tab that shows the title of its view.
    if (onBack === null) document.title = `${t.title} · CORD`;
  }, [onBack, t]);
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
        loading={
          <SkeletonRegion label={t.loading}>
            <Skeleton height={320} />
          </SkeletonRegion>
        }
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
