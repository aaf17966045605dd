import { readDayRecord } from '@cord/contracts/proof/records';
import { formatDate, formatTime, useTexts } from '@cord/sdk';
import { Card, type Column, cx, formatCord, formatCount, Table, VisuallyHidden } from '@cord/ui';
import { Check, X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { LEDGER_TEXTS } from '../ledger/texts';
import type { ComparedEntry } from './check';
import s from './check-view.module.css';
import { failedStep, finding } from './finding';
import type { LedgerProof } from './read-parts';
import type { CheckEnd } from './run-check';
import { CHECK_TEXTS } from './texts';

/** The four checks, the path to the root, and how a root is made. */
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
  const opened = end?.parts.proof.opened ?? null;
  const entriesText = opened
    ? t.carriedText({ amount: formatCord(amountOf(opened.balance), { decimals: 6 }) })
    : t.entriesText;
  const rows: { title: string; text: ReactNode; value: string }[] = [
    { title: t.entries, text: entriesText, value: t.read({ count }) },
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

/** Number of hash characters shown. */
const SHOWN = 12;

/** The mismatching entry between its neighbours, each with its stored and its computed hash. */
function Break({ around }: { around: readonly ComparedEntry[] }) {
  const t = useTexts(CHECK_TEXTS);
  const sources = useTexts(LEDGER_TEXTS);
  const sourceOf = (source: string) => {
    const key = `sources.${source}`;
    return key in sources ? sources[key as 'sources.mining'] : sources['sources.other'];
  };
  const hash = (text: string, isWrong: boolean) => (
    <code className={cx(s.hash, isWrong && 'c-danger')}>{text.slice(0, SHOWN)}</code>
  );
  const columns: Column<ComparedEntry>[] = [
    { key: 'n', head: t.entry, cell: ({ n }) => n, names: true },
    {
      key: 'what',
      head: t.what,
      cell: ({ source, amount }) => t.amountOf({ source: sourceOf(source), amount: formatCord(amountOf(amount)) }),
      from: 768,
    },
    { key: 'has', head: t.has, cell: ({ has }) => hash(has, false) },
    { key: 'computed', head: t.computed, cell: ({ has, computed }) => hash(computed, computed !== has) },
  ];
  if (around.length === 0) return null;
  return (
    <>
      <h3 className={s.subhead}>{t.breaks}</h3>
      <Table
        caption={t.breaksCaption}
        columns={columns}
        rows={around}
        rowKey={(row) => String(around.indexOf(row))}
        className={s.breaks}
      />
      <p className="t-note t-break">{t.breaksText}</p>
    </>
  );
}

/** Parses an unvalidated amount. */
const amountOf = (text: string): bigint | null => (/^-?\d{1,19}$/.test(text) ? BigInt(text) : null);

const [WIDTH, LEFT, RIGHT, MIDDLE] = [640, 22, 612, 22];

/** Draws the steps from the user's leaf to the root as strands of a cord; the texts are beside it. */
function RootFigure({ proof: { entries, leaf, path, record } }: { proof: LedgerProof }) {
  const t = useTexts(CHECK_TEXTS);
  const id = useId().replace(/[^a-zA-Z0-9]/g, '');
  const day = readDayRecord(record);
  const count = Math.max(1, path.length);
  const step = (RIGHT - LEFT) / count;
  const laid = Array.from({ length: count }, (_, at) => ({ x: LEFT + at * step, thick: 5 + (21 * (at + 1)) / count }));
  return (
    <div className={s.figure}>
      <div className={s.labels}>
        <span>{t.figureStart({ count: entries.length })}</span>
        <span>{t.figureEnd({ count: day?.accounts ?? 0 })}</span>
      </div>
      <svg viewBox={`0 0 ${WIDTH} 64`} aria-hidden="true" className={s.cord}>
        <defs>
          <pattern id={id} width="14" height="14" patternUnits="userSpaceOnUse" patternTransform="rotate(28)">
            <rect width="14" height="14" fill="var(--y-gap)" />
            <rect x="1" width="5.4" height="14" fill="var(--y-age)" />
            <rect x="8" width="5.4" height="14" fill="var(--y-base)" />
          </pattern>
        </defs>
        {path.map(([, hash], at) => {
          const { x = 0, thick = 0 } = laid[at] ?? {};
          const d = `M${x - 4} 58C${x + 16} 58 ${x + 8} ${MIDDLE + thick / 2} ${x + step * 0.7} ${MIDDLE + thick / 4}`;
          return (
            <g key={hash} fill="none" strokeLinecap="round">
              <path d={d} stroke="var(--y-gap)" strokeWidth="6" />
              <path d={d} stroke="var(--y-base)" strokeWidth="4.4" />
            </g>
          );
        })}
        {laid.map(({ x, thick }) => (
          <rect key={x} x={x} y={MIDDLE - thick / 2} width={step + 0.5} height={thick} fill={`url(#${id})`} />
        ))}
        <g fill="none" stroke="var(--live)" strokeWidth="3.5" strokeLinecap="round">
          <circle cx="12" cy={MIDDLE} r="8" />
          <path d={`M617 ${MIDDLE - 15}v30M623 ${MIDDLE - 15}v30M629 ${MIDDLE - 15}v30M635 ${MIDDLE - 15}v30`} />
        </g>
      </svg>
      <div className={s.labels}>
        <code>{leaf.head.slice(0, SHOWN)}</code>
        <span>{t.figureSteps({ count: path.length })}</span>
        <code>{day?.root.slice(0, SHOWN)}</code>
      </div>
    </div>
  );
}
