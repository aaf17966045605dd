import type { Epoch } from '@cord/contracts/http/epochs';
import { ApiError, type TextsOf, useTexts } from '@cord/sdk';
import { Input, Stack } from '@cord/ui';
import { type FormEvent, useEffect, useState } from 'react';
import { minuteOfYear } from '../room/moments';
import { integerOf } from '../room/typed-numbers';
import { type Act, changedOf, NEW } from './act';
import { Effect, Rates } from './effect';
import s from './epochs.module.css';
import { FormButtons } from './form-buttons';
import { TEXTS } from './texts';
import { EPOCH_FIELDS, usePreview } from './use-epochs';
import { numberText, useTyped } from './use-typed';
import { fromField, toField } from './utc-field';

/** Debounce of the preview request while the operator types, ms. */
const PAUSE_MS = 350;
const MULTIPLIER_PLACES = 2;

interface EpochFormProps {
  /** The epoch as stored; for a new epoch, its initial values. */
  epoch: Epoch;
  isNew: boolean;
  epochs: readonly Epoch[];
  nowMs: number;
  /** An act is open and needs its reason; only one can be open. */
  waits: boolean;
  /** Called when something is typed. */
  onBegin: () => void;
  onAct: (act: Act<Epoch>) => void;
  onDiscard: () => void;
}

/** The form of one epoch, with a preview of the change's effect. */
export function EpochForm({ epoch, isNew, epochs, nowMs, waits, onBegin, onAct, onDiscard }: EpochFormProps) {
  const t = useTexts(TEXTS);
  // The initial values of a new epoch depend on the time; they must not change while the form is open.
  const [first] = useState(epoch);
  const { draft, change, discard: forget } = useTyped('epoch', isNew ? NEW : epoch.id, isNew ? first : epoch);
  const [typed, setTyped] = useState(String(epoch.rewardsMultiplier));
  const multiplier = numberText(typed, multiplierOf(typed), draft.rewardsMultiplier);
  const act: Act<Epoch> = { before: isNew ? null : epoch, after: draft };
  const changed = changedOf(act, EPOCH_FIELDS);
  const settled = useSettled(isNew && draft.id === '' ? null : act);
  const preview = usePreview(settled);
  const refused = preview.error instanceof ApiError ? preview.error.fields : [];
  const errorOf = (field: keyof Epoch) =>
    refused.find(({ path }) => path === field || path === `change.${field}`)?.message;
  const begun = !isNew && Date.parse(epoch.startDate) <= nowMs;
  const over = !isNew && Date.parse(epoch.endDate) <= nowMs;
  const time = (field: 'startDate' | 'endDate') => ({
    type: 'datetime-local',
    value: toField(draft[field]),
    error: errorOf(field),
    // The browser formats the field by its own locale; the line below it has the format of all other times here.
    help: minuteOfYear(draft[field]),
    onChange: (event: { target: HTMLInputElement }) => {
      const next = fromField(event.target.value, epoch[field]);
      if (next !== null) change({ [field]: next });
    },
  });
  const discard = () => {
    forget();
    setTyped(String(epoch.rewardsMultiplier));
    onDiscard();
  };
  const multiplierOff = multiplierOf(multiplier) === null;
  const isReady =
    !multiplierOff && changed.length > 0 && draft.name.trim() !== '' && draft.id !== '' && preview.error === null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !waits) onAct(act);
  };
  return (
    <Stack gap={20} className={s.editing}>
      <Stack
        as="form"
        gap={16}
        noValidate
        onChange={onBegin}
        onSubmit={submit}
        aria-label={isNew ? t.newEpoch : epoch.name}
      >
        <Stack gap={12} className={s.fields}>
          <Input
            label={t.name}
            value={draft.name}
            maxLength={80}
            error={errorOf('name')}
            onChange={({ target: { value } }) => change(isNew ? { name: value, id: slugOf(value) } : { name: value })}
          />
          <Input
            label={t.multiplier}
            inputMode="decimal"
            value={multiplier}
            locked={begun ? t.begunHelp : undefined}
            error={multiplierOff ? t.multiplierWrong : errorOf('rewardsMultiplier')}
            onChange={({ target: { value } }) => {
              setTyped(value);
              const number = multiplierOf(value);
              if (number !== null) change({ rewardsMultiplier: number });
            }}
          />
          <Input label={t.begins} {...time('startDate')} readOnly={begun} />
          <Input label={t.ends} {...time('endDate')} readOnly={over} />
        </Stack>
        <Input
          label={t.description}
          value={draft.description}
          maxLength={300}
          error={errorOf('description')}
          help={over ? t.overHelp : otherPercent(t, draft)}
          onChange={({ target: { value } }) => change({ description: value })}
        />
        {settled && <Effect epochs={epochs} act={settled} preview={preview} nowMs={nowMs} />}
        <FormButtons
          {...{ isNew, isReady, waits }}
          changed={changed.length}
          saveText={t.save}
          onDiscard={discard}
          onTakeOut={isNew || begun ? null : () => onAct({ before: epoch, after: null })}
        />
      </Stack>
      {settled && <Rates act={settled} preview={preview} />}
    </Stack>
  );
}

function multiplierOf(typed: string): number | null {
  const hundredths = integerOf(typed, MULTIPLIER_PLACES);
  return hundredths === null ? null : hundredths / 100;
}

/** A warning when the percentage in the description differs from the multiplier. */
function otherPercent(t: TextsOf<typeof TEXTS>, { description, rewardsMultiplier }: Epoch): string | undefined {
  const percent = /(\d+(?:[.,]\d+)?)\s*%/.exec(description)?.[1]?.replace(',', '.');
  const adds = Math.round((rewardsMultiplier - 1) * 100);
  if (percent === undefined || Number(percent) === adds) return undefined;
  return t.descriptionDiffers({ percent, adds: String(adds) });
}

/** The act after a debounce, so that not every key causes a request. */
function useSettled(act: Act<Epoch> | null): Act<Epoch> | null {
  const [settled, setSettled] = useState(act);
  const text = JSON.stringify(act);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text)), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** The slug of an epoch, made of its name: letters, digits and dashes. */
function slugOf(name: string): string {
  const parts = name
    .toLowerCase()
    .replace(/^epoch /, '')
    .match(/[a-z0-9]+/g);
  return (parts ?? []).join('-').slice(0, 64);
}
