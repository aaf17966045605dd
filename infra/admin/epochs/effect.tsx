import type { Epoch, EpochPreview } from '@cord/contracts/http/epochs';
import { topHundredths } from '@cord/contracts/rules/rule-book';
import { messageOf, multiplierText, useRuleBook, useTexts } from '@cord/sdk';
import {
  type Column,
  formatCord,
  formatCount,
  formatMultiplier,
  formatRate,
  Notice,
  Row,
  Skeleton,
  Stack,
  Table,
} from '@cord/ui';
import { Check, CircleAlert } from 'lucide-react';
import { inThousands } from '../room/amounts';
import { minuteOfYear, minutesText } from '../room/moments';
import { type Act, subjectOf } from './act';
import s from './epochs.module.css';
import { TEXTS } from './texts';
import type { usePreview } from './use-epochs';

type Preview = ReturnType<typeof usePreview>;

interface EffectProps {
  epochs: readonly Epoch[];
  act: Act<Epoch>;
  preview: Preview;
  nowMs: number;
}

/** The effect of a change as text, with checks of its result. */
export function Effect({ epochs, act, preview: { data, error, isPlaceholderData }, nowMs }: EffectProps) {
  const t = useTexts(TEXTS);
  if (error !== null) {
    const message = messageOf(error, t.effectFailed);
    return <Notice look="inline" tone="warn" title={message} announce />;
  }
  if (data === undefined) return <Skeleton height={104} />;
  return (
    <>
      <p className={s.effect} aria-live="polite" aria-busy={isPlaceholderData}>
        <strong>{t.what}</strong> <Summary preview={data} />
      </p>
      <Checks epochs={epochs} act={act} preview={data} nowMs={nowMs} />
    </>
  );
}

function Summary({ preview }: { preview: EpochPreview }) {
  const t = useTexts(TEXTS);
  const { spans, nodes, adds, isWhole, sampled } = preview;
  const [first] = spans;
  if (!first) return t.sameRates;
  if (nodes === 0) return t.noneRuns;
  const amount = inThousands(Math.abs(adds));
  return [
    t.effect({
      count: nodes,
      before: formatCord(first.perDayBefore, { decimals: 1 }),
      after: formatCord(first.perDayAfter, { decimals: 1 }),
      from: minuteOfYear(first.from),
      to: minuteOfYear(first.to),
    }),
    spans.length > 1 ? t.furtherSpans({ count: spans.length - 1 }) : '',
    adds < 0 ? t.less({ amount }) : t.more({ amount }),
    isWhole ? '' : t.bySample({ count: sampled }),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** Checks: whether the epoch may change, its neighbours, and the range of rates. */
function Checks({ epochs, act, preview, nowMs }: Omit<EffectProps, 'preview'> & { preview: EpochPreview }) {
  const t = useTexts(TEXTS);
  const most = topHundredths(useRuleBook());
  const { id, startDate } = subjectOf(act);
  const leftMs = Date.parse(startDate) - nowMs;
  const after = epochs.filter((epoch) => epoch.id !== id);
  const row = [...after, ...(act.after ? [act.after] : [])].sort((a, b) => a.startDate.localeCompare(b.startDate));
  const gaps = row.flatMap((epoch, index) => {
    const next = row[index + 1];
    const isGap = next && epoch.endDate < next.startDate && Date.parse(next.startDate) > nowMs;
    return isGap ? [t.gap({ one: epoch.name, two: next.name })] : [];
  });
  const lines = [
    ...(leftMs > 0 ? [t.beginsIn({ span: minutesText(leftMs) })] : []),
    ...(gaps.length > 0 ? gaps : [t.noGap]),
    t.highest({ rate: formatRate(preview.highestRate), multiplier: multiplierText(most) }),
  ];
  return (
    <Stack as="ul" gap={6} className="t-small">
      {lines.map((line) => (
        <Row as="li" gap={8} key={line}>
          {gaps.includes(line) ? <CircleAlert size={16} className="c-warn" /> : <Check size={16} className="c-live" />}
          {line}
        </Row>
      ))}
    </Stack>
  );
}

type Tier = EpochPreview['tiers'][number];

/** Rates of each tier: now, and at the time of the change without it and with it. */
export function Rates({ act, preview: { data } }: { act: Act<Epoch>; preview: Preview }) {
  const t = useTexts(TEXTS);
  const { badgeHundredths } = useRuleBook();
  if (data === undefined) return null;
  const [first] = data.spans;
  const plain = subjectOf(act).rewardsMultiplier;
  const oldest = data.tiers.at(-1)?.fromYears;
  const ageOf = ({ fromYears }: Tier) => {
    if (fromYears === 0) return t.underOne;
    const years = String(fromYears);
    return fromYears === oldest ? t.andMore({ years }) : t.years({ years });
  };
  const rate = (value: number) => formatCord(value, { decimals: 4 });
  const columns: Column<Tier>[] = [
    { key: 'age', head: t.age, names: true, cell: ageOf },
    { key: 'nodes', head: t.nodes, align: 'right', cell: ({ nodes }) => formatCount(nodes) },
    {
      key: 'now',
      head: t.nowAt({ multiplier: formatMultiplier(data.multiplierNow) }),
      align: 'right',
      from: 768,
      cell: ({ rateNow }) => rate(rateNow),
    },
    {
      key: 'before',
      head: formatMultiplier(first?.multiplierBefore ?? plain),
      align: 'right',
      cell: ({ rateBefore }) => rate(rateBefore),
    },
    ...(first
      ? [
          {
            key: 'after',
            head: formatMultiplier(first.multiplierAfter),
            align: 'right' as const,
            cell: ({ rateAfter }: Tier) => <strong>{rate(rateAfter)}</strong>,
          },
        ]
      : []),
  ];
  return (
    <Stack gap={8} className={s.rates}>
      <h3 className="t-small t-600">{t.rates}</h3>
      <Table
        dense
        className={s.table}
        caption={t.rates}
        columns={columns}
        rows={data.tiers}
        rowKey={({ fromYears }) => String(fromYears)}
      />
      <p className="t-note">{t.without({ multiplier: multiplierText(badgeHundredths) })}</p>
    </Stack>
  );
}
