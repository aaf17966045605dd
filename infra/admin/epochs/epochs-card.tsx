import type { Epoch } from '@cord/contracts/http/epochs';
import { Loaded, type TextsOf, useServerNow, useTexts } from '@cord/sdk';
import { Card, cx, EmptyState, formatMultiplier, Skeleton, Stack } from '@cord/ui';
import { useEffect, useRef } from 'react';
import type { Change } from '../room/confirm-panel';
import { minuteOfYear, useMoments } from '../room/moments';
import { type Act, type ChosenProps, changeLines, NEW } from './act';
import { ActPanel, DoneNotice, useActs } from './act-panel';
import { EpochForm } from './epoch-form';
import s from './epochs.module.css';
import { TEXTS } from './texts';
import { EPOCH_FIELDS, useEpochAct, useEpochs } from './use-epochs';

/** The table of epochs in order of time, with the form of the selected one below it. */
export function EpochsCard({ chosen, onChoose }: ChosenProps) {
  const t = useTexts(TEXTS);
  return (
    <Card title={t.epochs} aside={t.ahead} className="l-narrow">
      <Loaded query={useEpochs()} failed={t.epochsFailed} loading={<Skeleton height={420} />}>
        {(epochs) => <Table {...{ epochs, chosen, onChoose }} />}
      </Loaded>
    </Card>
  );
}

const idOf = ({ id }: Epoch) => id;
const nameOf = ({ name }: Epoch) => name;

function Table({ epochs, chosen, onChoose }: ChosenProps & { epochs: readonly Epoch[] }) {
  const t = useTexts(TEXTS);
  const nowMs = useServerNow();
  const acts = useActs<Epoch>();
  const sending = useEpochAct((done) => {
    acts.finish(done);
    onChoose(done.act.after?.id ?? null);
  });
  const isNew = chosen === NEW;
  // Without a selection it is the next epoch: the first one in which every field may still change.
  const next = epochs.find(({ startDate }) => Date.parse(startDate) > nowMs);
  const one = isNew ? newAfter(epochs, nowMs) : (epochs.find(({ id }) => id === chosen) ?? next ?? epochs.at(-1));
  return (
    <Stack gap={16}>
      {epochs.length === 0 ? (
        <EmptyState title={t.noEpochs} level={3} />
      ) : (
        <Timeline epochs={epochs} chosen={isNew ? null : (one?.id ?? null)} nowMs={nowMs} onChoose={onChoose} />
      )}
      {acts.done && <DoneNotice done={acts.done} nameOf={nameOf} onUndo={acts.choose} onClose={acts.forget} />}
      {acts.act && (
        <ActPanel
          of="epoch"
          act={acts.act}
          changes={changesOf(acts.act, t)}
          onClose={acts.close}
          {...{ idOf, nameOf, sending }}
        />
      )}
      {one && (
        <EpochForm
          key={isNew ? NEW : one.id}
          epoch={one}
          isNew={isNew}
          epochs={epochs}
          nowMs={nowMs}
          waits={acts.act !== null}
          // Without a selection the form changes with time, so typing selects the epoch.
          onBegin={() => isNew || onChoose(one.id)}
          onAct={acts.choose}
          onDiscard={() => onChoose(null)}
        />
      )}
    </Stack>
  );
}

interface TimelineProps {
  epochs: readonly Epoch[];
  chosen: string | null;
  nowMs: number;
  onChoose: (id: string) => void;
}

/** All epochs in a row, scrolled to the selected one. */
function Timeline({ epochs, chosen, nowMs, onChoose }: TimelineProps) {
  const t = useTexts(TEXTS);
  const { day } = useMoments();
  const row = useRef<HTMLUListElement>(null);
  const shown = chosen ?? epochs.find(({ endDate }) => Date.parse(endDate) > nowMs)?.id;
  useEffect(() => {
    const list = row.current;
    const items = [...(list?.querySelectorAll<HTMLElement>('[data-epoch]') ?? [])];
    const item = items.find(({ dataset }) => dataset.epoch === shown);
    // Keeps the epoch before it visible, too.
    if (list && item) list.scrollLeft = item.offsetLeft - list.offsetLeft - item.offsetWidth;
  }, [shown]);
  return (
    <ul className={s.timeline} ref={row}>
      {epochs.map((epoch) => {
        const { id, name, startDate, endDate } = epoch;
        const [fromMs, toMs] = [Date.parse(startDate), Date.parse(endDate)];
        const isNow = fromMs <= nowMs && nowMs < toMs;
        const values = { name: name.replace(/^Epoch /, ''), multiplier: formatMultiplier(epoch.rewardsMultiplier) };
        const span = { from: day(startDate), to: day(endDate) };
        return (
          <li key={id} data-epoch={id}>
            <button
              type="button"
              className={cx(s.epoch, isNow && s.now, toMs <= nowMs && 'c-2')}
              aria-pressed={id === chosen}
              onClick={() => onChoose(id)}
            >
              <strong>{isNow ? t.epochNow(values) : t.epochNamed(values)}</strong>
              <span>{fromMs <= nowMs ? t.until({ time: span.to }) : t.fromTo(span)}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

type Texts = TextsOf<typeof TEXTS>;

const DAY_MS = 86_400_000;

/** A line for each field that an act changes. */
function changesOf(act: Act<Epoch>, t: Texts): Change[] {
  const names = {
    name: t.name,
    description: t.description,
    rewardsMultiplier: t.multiplier,
    startDate: t.begins,
    endDate: t.ends,
  };
  const textOf = (epoch: Epoch, field: (typeof EPOCH_FIELDS)[number]) => {
    if (field === 'rewardsMultiplier') return formatMultiplier(epoch.rewardsMultiplier);
    if (field === 'startDate' || field === 'endDate') return minuteOfYear(epoch[field]);
    return epoch[field] || t.none;
  };
  return changeLines(act, EPOCH_FIELDS, { names, textOf, none: t.none });
}

/** Default length of an epoch, days (services/contracts/rules/README.md#epochs). */
const CYCLE_DAYS = 15;

/** Initial values of a new epoch: after the last one, with the same length. */
function newAfter(epochs: readonly Epoch[], nowMs: number): Epoch {
  const lastMs = Math.max(nowMs + DAY_MS, ...epochs.map(({ endDate }) => Date.parse(endDate)));
  return {
    id: '',
    name: '',
    description: '',
    rewardsMultiplier: 1,
    startDate: new Date(lastMs).toISOString(),
    endDate: new Date(lastMs + CYCLE_DAYS * DAY_MS).toISOString(),
  };
}
