import { type TabView, usePageTitle, useTexts } from '@cord/sdk';
import { BackButton, Columns, LinkButton, PageHead, Row, Stack, ViewPage } from '@cord/ui';
import { LockKeyhole } from 'lucide-react';
import { RULES_VIEW } from '../app/bundles';
import { FourChecks } from './four-checks';
import { Limits } from './limits';
import { PublishedRoot } from './published-root';
import { Result } from './result';
import type { CheckEngine } from './run-check';
import { CHECK_TEXTS } from './texts';
import { useCheck } from './use-check';
import { WithoutUs } from './without-us';

interface CheckViewProps {
  view: Pick<TabView, 'open' | 'close'>;
  engine?: CheckEngine;
}

const IN_BROWSER: CheckEngine = {};

/** Whether the own ledger is what was published: `?tab=settings&view=proof`. */
export function CheckView({ view, engine = IN_BROWSER }: CheckViewProps) {
  const t = useTexts(CHECK_TEXTS);
  usePageTitle(t.title);
  const check = useCheck(engine);
  const { state } = check;
  const end = state.kind === 'done' ? state.end : null;
  return (
    <ViewPage>
      <PageHead title={t.title} back={<BackButton onClick={view.close}>{t.back}</BackButton>}>
        {t.intro}
      </PageHead>
      <Result check={check} />
      <Columns align="start">
        <FourChecks end={end} />
        <Stack gap="var(--gap)">
          {end && <PublishedRoot end={end} />}
          <WithoutUs end={end} />
        </Stack>
      </Columns>
      <Limits />
      <Row as="p" gap={8} className="t-note t-icon">
        <LockKeyhole size={16} aria-hidden="true" />
        <span>
          {t.footer} <LinkButton onClick={() => view.open(RULES_VIEW)}>{t.rules}</LinkButton>
        </span>
      </Row>
    </ViewPage>
  );
}
