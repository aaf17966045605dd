import { type TabView, useTexts } from '@cord/sdk';
import { Button, LinkButton } from '@cord/ui';
import { ArrowLeft, LockKeyhole } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { RULES_VIEW } from '../app/bundles';
import s from './check-view.module.css';
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
  const check = useCheck(engine);
  const top = useRef<HTMLDivElement>(null);
  // Whoever comes by a button or by keyboard begins at the top.
  useEffect(() => top.current?.focus({ preventScroll: true }), []);
  const { state } = check;
  const end = state.kind === 'done' ? state.end : null;
  return (
    <div className={s.page} ref={top} tabIndex={-1}>
      <header className={s.head}>
        <Button
          variant="ghost"
          size="sm"
          className={s.back}
          icon={<ArrowLeft aria-hidden="true" />}
          onClick={view.close}
        >
          {t.back}
        </Button>
        <h1 className="t-h1">{t.title}</h1>
        <p className={s.intro}>{t.intro}</p>
      </header>
      <Result check={check} />
      <div className={s.columns}>
        <FourChecks end={end} />
        <div className={s.side}>
          {end && <PublishedRoot end={end} />}
          <WithoutUs end={end} />
        </div>
      </div>
      <Limits />
      <p className={s.footer}>
        <LockKeyhole size={16} aria-hidden="true" />
        <span>
          {t.footer} <LinkButton onClick={() => view.open(RULES_VIEW)}>{t.rules}</LinkButton>
        </span>
      </p>
    </div>
  );
}
