import { DAY_MS, dayKey, hourStartMs } from '@cord/contracts/rules/days';
import { HOURS_DAYS } from '@cord/contracts/rules/timings';
import { type PartProps, useSdk } from '@cord/sdk';
import { DEVICE_CLOCK, textsOf } from './hour-format';
import s from './hours.module.css';
import { useHours } from './use-hours';

/** Events in the hour of a ledger entry; nothing when unknown or expired. */
export function LedgerHour({ entry }: PartProps) {
  const { clock } = useSdk();
  const atMs = Date.parse(entry?.at ?? '');
  const day = Number.isNaN(atMs) ? null : dayKey(atMs);
  const isKept = day !== null && day >= dayKey(clock.now() - (HOURS_DAYS - 1) * DAY_MS);
  const { data } = useHours(isKept ? day : null);
  const hour = data?.hours.find(({ from }) => Date.parse(from) === hourStartMs(atMs));
  return (
    hour &&
    textsOf(hour, DEVICE_CLOCK).map((text) => (
      <span key={text} className={s.ofEntry}>
        {text}
      </span>
    ))
  );
}
