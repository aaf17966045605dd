import { formatDate, formatTime, useTexts } from '@cord/sdk';
import { Card, formatCord, formatCount, VisuallyHidden } from '@cord/ui';
import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Break } from './break';
import s from './check-view.module.css';
import { failedStep, finding } from './finding';
import { RootFigure } from './root-figure';
import type { CheckEnd } from './run-check';
import { CHECK_TEXTS } from './texts';

/** The four checks one below the other, the way into the root, and how a root is made. */
export function FourChecks({ end }: { end: CheckEnd | null }) {
  const t = useTexts(CHECK_TEXTS);
  const entries = end?.parts.proof.entries ?? [];
  const [first, last] = [entries[0], entries.at(-1)];
  const failed = end && failedStep(end.checked);
  const range =
    first && last ? t.range({ from: formatDate(Number(first.at)), to: formatDate(Number(last.at)) }) : undefined;
  return (
    <Card title={t.four} aside={range === undefined ? undefined : <span className="t-label">{range}</span>}>
      <Steps end={end} failed={failed} />
      {end && failed === 2 && <Break around={end.checked.around} />}
      {end && failed === null && <RootFigure proof={end.parts.proof} />}
      <h3 className={s.subhead}>{t.how}</h3>
      <ol className={s.list}>
        <li>{t.how1}</li>
        <li>{t.how2}</li>
        <li>{t.how3}</li>
      </ol>
    </Card>
  );
}

function Steps({ end, failed }: { end: CheckEnd | null; failed: number | null }) {
  const t = useTexts(CHECK_TEXTS);
  const count = end?.parts.proof.entries.length ?? 0;
  const last = end?.parts.proof.entries.at(-1);
  const lastMs = Number(last?.at ?? 0);
  const all = formatCount(count);
  const verdict = end?.checked.verdict;
  const steps = end?.parts.proof.path.length ?? 0;
  const when = { n: all, date: formatDate(lastMs), time: formatTime(lastMs) };
  const rates = verdict?.ok && !verdict.ratesChecked ? ` ${t.ratesOpen}` : '';
  const recomputed = verdict?.ok ? ` ${t.recomputed({ count: verdict.recomputed })}${rates}` : '';
  const found = end && failed !== null ? <code>{finding(end.checked)}</code> : null;
  const rows: { title: string; text: ReactNode; value: string }[] = [
    { title: t.entries, text: t.entriesText, value: t.read({ count }) },
    { title: t.chain, text: t.chainText + recomputed, value: t.chainDone({ done: all, all }) },
    {
      title: t.sum,
      text: last ? t.sumText(when) : null,
      value: verdict?.ok ? formatCord(verdict.balanceMicro, { decimals: 6 }) : '',
    },
    { title: t.account, text: t.accountText, value: t.steps({ done: steps, all: steps }) },
  ];
  return (
    <ol>
      {rows.map(({ title, text, value }, at) => {
        const n = at + 1;
        const state = end === null || (failed !== null && n > failed) ? 'open' : n === failed ? 'failed' : 'done';
        const tone = { open: undefined, failed: 'danger', done: 'live' }[state];
        return (
          <li key={title} className={s.step}>
            <span className={s.mark} data-tone={tone} aria-hidden="true">
              {state === 'done' ? <Check size={18} /> : state === 'failed' ? <X size={18} /> : n}
            </span>
            <div className="l-narrow">
              <p className="t-600 t-break">{title}</p>
              <p className="t-note t-break">
                {state === 'failed' ? found : state === 'open' && end !== null ? t.needsBefore : text}
              </p>
            </div>
            <p className={s.value} data-tone={tone}>
              {state === 'done' ? (
                <>
                  <VisuallyHidden>{t.holds}: </VisuallyHidden>
                  <span data-number>{value}</span>
                </>
              ) : state === 'failed' ? (
                t.fails
              ) : (
                t.notChecked
              )}
            </p>
          </li>
        );
      })}
    </ol>
  );
}
