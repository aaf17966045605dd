import { useSettings, useTexts, useUserId } from '@cord/sdk';
import { Input, Skeleton, Switch } from '@cord/ui';
import { useSaveSettings } from '../use-save-settings';
import s from './push.module.css';
import { PUSH_TEXTS } from './texts';

const NIGHT = { from: '23:00', to: '07:00' };

/** Times of day without pushes, by this browser's clock. */
export function QuietHours() {
  const t = useTexts(PUSH_TEXTS);
  const { data } = useSettings();
  const save = useSaveSettings(useUserId() ?? '');
  if (data === undefined) return <Skeleton height={48} />;
  const { quietHours: set } = data;
  const { from, to } = set ?? NIGHT;
  const keep = (hours: { from: string; to: string } | null) =>
    save.press({
      quietHours: hours && { ...hours, zone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    });
  return (
    <div>
      <Switch
        label={t.quiet}
        help={t.quietHelp({ from, to })}
        needsServer
        checked={set !== null}
        onChange={(on) => keep(on ? NIGHT : null)}
        testId="quiet-hours"
      />
      {set !== null && (
        <fieldset aria-label={t.quiet} className={s.times}>
          <Time key={`from ${from}`} label={t.quietFrom} value={from} onChange={(next) => keep({ from: next, to })} />
          <Time key={`to ${to}`} label={t.quietTo} value={to} onChange={(next) => keep({ from, to: next })} />
        </fieldset>
      )}
    </div>
  );
}

/** A time of day; what is being typed is kept once the field is left. */
function Time({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <Input
      type="time"
      label={label}
      defaultValue={value}
      onBlur={({ target }) => target.value !== '' && target.value !== value && onChange(target.value)}
    />
  );
}
