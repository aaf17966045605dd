import { epochAt } from '@cord/contracts/rules/epochs';
import { bookAt } from '@cord/contracts/rules/rule-book';
import { useRules, useSdk, useTexts } from '@cord/sdk';
import { BackButton, Columns, cx, PageHead, Skeleton, SkeletonRegion, Stack, TabErrorPanel, ViewPage } from '@cord/ui';
import { Ahead, History } from './history';
import { EpochNumbers, MiningNumbers, OtherNumbers } from './numbers';
import s from './rules-page.module.css';
import { RULES_TEXTS } from './texts';

/** The rules by which CORD is earned, for everybody: `?tab=settings&view=rules`. @param onBack null where there is no app to go back to */
export function RulesPage({ onBack }: { onBack: (() => void) | null }) {
  const t = useTexts(RULES_TEXTS);
  return (
    <ViewPage as={onBack === null ? 'main' : 'div'} className={cx(onBack === null && s.alone)} testId="rules">
      <PageHead
        title={t.title}
        back={onBack ? <BackButton onClick={onBack}>{t.back}</BackButton> : <BackButton href="/">{t.home}</BackButton>}
      >
        {t.intro}
      </PageHead>
      <Body />
    </ViewPage>
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
