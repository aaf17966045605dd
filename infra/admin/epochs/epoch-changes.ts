import type { Epoch } from '@cord/contracts/http/epochs';
import type { TextsOf } from '@cord/sdk';
import { formatMultiplier } from '@cord/ui';
import type { Change } from '../room/confirm-panel';
import { minuteOfYear } from '../room/moments';
import { type Act, changeLines } from './act';
import type { TEXTS } from './texts';
import { EPOCH_FIELDS } from './use-epochs';

type Texts = TextsOf<typeof TEXTS>;

const DAY_MS = 86_400_000;

/** A line for each field that an act changes. */
export function changesOf(act: Act<Epoch>, t: Texts): Change[] {
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

/** Days that epochs last, unless set otherwise (services/contracts/rules/README.md#epochs). */
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
