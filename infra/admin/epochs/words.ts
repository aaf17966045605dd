import type { Epoch } from '@cord/contracts/http/epochs';
import { dateFormat, type TextsOf } from '@cord/sdk';
import { formatMultiplier } from '@cord/ui';
import type { Change } from '../room/confirm-panel';
import { type Act, changedOf } from './act';
import type { TEXTS } from './texts';
import { EPOCH_FIELDS } from './use-epochs';

type Words = TextsOf<typeof TEXTS>;

const DAY_MS = 86_400_000;
/** A moment of UTC, to the minute: `28 Nov 2026, 01:25`. */
export const moment = dateFormat({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** A line for each field that an act changes. */
export function changesOf(act: Act<Epoch>, t: Words): Change[] {
  const names = {
    name: t.name,
    description: t.description,
    rewardsMultiplier: t.multiplier,
    startDate: t.begins,
    endDate: t.ends,
  };
  const said = (epoch: Epoch, field: (typeof EPOCH_FIELDS)[number]) => {
    if (field === 'rewardsMultiplier') return formatMultiplier(epoch.rewardsMultiplier);
    if (field === 'startDate' || field === 'endDate') return moment.format(Date.parse(epoch[field]));
    return epoch[field] || t.none;
  };
  return changedOf(act, EPOCH_FIELDS).map((field) => ({
    what: names[field],
    before: act.before ? said(act.before, field) : undefined,
    after: act.after ? said(act.after, field) : t.none,
  }));
}

/** Days that epochs last, unless somebody says otherwise (decisions, Epochs). */
const CYCLE_DAYS = 15;

/** What a new epoch is at first: behind the last one, as long as the others are. */
export function newAfter(epochs: readonly Epoch[], nowMs: number): Epoch {
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
