import { RULES_AHEAD_MS } from '@cord/contracts/rules/epochs';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { ApiError, useDraft, useServerNow, useTexts, useToasts } from '@cord/sdk';
import { Button, Card, Input, Row, Stack } from '@cord/ui';
import { type FormEvent, useState } from 'react';
import { fromField, toField } from '../epochs/utc-field';
import { ConfirmPanel, REASON_MAX, REASON_MIN } from '../room/confirm-panel';
import s from '../room/list.module.css';
import { minuteOfYear } from '../room/moments';
import { bookWith, changesOf, NUMBER_FIELDS, type NumberField, type RulesField, readTyped, typedOf } from './numbers';
import { TEXTS } from './texts';
import { usePropose } from './use-rules';

const HOUR_MS = 3_600_000;
/** Initial notice of a new change: one day for the second operator, then the required 72 hours. */
const FIRST_AHEAD_MS = RULES_AHEAD_MS + 24 * HOUR_MS;

interface RulesFormProps {
  /** The last announced rule book, to which the change applies. */
  last: RuleBook;
  onClose: () => void;
}

/** The form for proposing a change of the rules. Its draft survives a reload and a new sign-in. */
export function RulesForm({ last, onClose }: RulesFormProps) {
  const t = useTexts(TEXTS);
  const { show } = useToasts();
  const nowMs = useServerNow();
  const [empty] = useState(() => ({ ...typedOf(last), from: firstFrom(last, nowMs), sooner: '' }));
  const draft = useDraft(`rules-${last.version}`, empty);
  const { typed } = draft;
  const [isConfirming, setConfirming] = useState(false);
  const [reason, setReason] = useState('');
  const [refused, setRefused] = useState<ApiError['fields']>([]);
  const close = () => {
    draft.clear();
    onClose();
  };
  const sending = usePropose({
    onDone: () => {
      show({ kind: 'success', title: t['done.propose'] });
      close();
    },
    // An error about a field is shown at the field.
    onFailed: (error) => {
      const fields = error instanceof ApiError ? error.fields.filter(({ path }) => isField(path)) : [];
      setRefused(fields);
      if (fields.length > 0) setConfirming(false);
    },
  });
  const change = (fields: Partial<typeof typed>) => {
    setRefused([]);
    draft.type(fields);
  };
  const refusalOf = (path: string) =>
    refused.find((one) => one.path === path || one.path.startsWith(`${path}.`))?.message;
  const { changes, wrong } = readTyped(typed, last);
  const from = fromField(typed.from);
  const isSoon = from !== null && Date.parse(from) < nowMs + RULES_AHEAD_MS;
  const sooner = isSoon ? typed.sooner.trim() : null;
  const isUnchanged = Object.keys(changes).length === 0;
  const isReady =
    from !== null && wrong.length === 0 && !isUnchanged && (sooner === null || sooner.length >= REASON_MIN);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && refused.length === 0) setConfirming(true);
  };
  const inputOf = (field: RulesField, wrongText: string) => ({
    value: typed[field],
    error: wrong.includes(field) ? wrongText : refusalOf(`changes.${field}`),
    onChange: ({ target }: { target: HTMLInputElement }) => change({ [field]: target.value }),
  });
  return (
    <>
      {isConfirming && from !== null && isReady && (
        <ConfirmPanel
          about={`rules-${last.version}`}
          title={t['act.propose']({ time: minuteOfYear(from) })}
          changes={[
            ...changesOf(last, bookWith(last, changes), t),
            ...(sooner === null ? [] : [{ what: t.sooner, after: sooner }]),
          ]}
          note={t['note.propose']}
          confirmText={t.propose}
          busyText={t.deciding}
          reason={reason}
          busy={sending.isPending}
          error={sending.error}
          failedText={t.actFailed}
          onConfirm={(why) => {
            setReason(why);
            sending.press({ from, changes, reason: why, ...(sooner === null ? {} : { sooner }) });
          }}
          onClose={() => setConfirming(false)}
        />
      )}
      <Card title={t.newRules}>
        <Stack as="form" gap={16} noValidate onSubmit={submit} aria-label={t.newRules}>
          <Stack gap={12} className={s.fields}>
            <Input
              label={t.from}
              type="datetime-local"
              value={typed.from}
              error={from === null ? t.fromWrong : refusalOf('from')}
              help={from !== null && (isSoon ? t.soon : t.fromHelp({ time: minuteOfYear(from) }))}
              onChange={({ target: { value } }) => change({ from: value })}
            />
            {isSoon && (
              <Input
                label={t.sooner}
                value={typed.sooner}
                maxLength={REASON_MAX}
                error={refusalOf('sooner')}
                help={t.soonerHelp}
                onChange={({ target: { value } }) => change({ sooner: value })}
              />
            )}
          </Stack>
          <Stack gap={12} className={s.fields}>
            {NUMBER_FIELDS.map((field) => (
              <Input key={field} label={labelOf(field, t)} inputMode="decimal" {...inputOf(field, t.numberWrong)} />
            ))}
          </Stack>
          <Input label={t.tiers} help={t.tiersHelp} {...inputOf('tiers', t.tiersWrong)} />
          <Row gap={8} wrap>
            <Button
              type="submit"
              variant="primary"
              needsServer
              disabled={!isReady || refused.length > 0}
              disabledReason={isUnchanged && wrong.length === 0 ? t.noChange : t.fixFirst}
            >
              {t.propose}
            </Button>
            <Button onClick={close}>{t.discard}</Button>
          </Row>
        </Stack>
      </Card>
    </>
  );
}

const isField = (path: string) => path === 'from' || path === 'sooner' || path.startsWith('changes.');

/** The earliest start: a full hour, after the last announced change. */
function firstFrom(last: RuleBook, nowMs: number): string {
  const leastMs = Math.max(nowMs + FIRST_AHEAD_MS, last.fromMs + 1);
  return toField(new Date(Math.ceil(leastMs / HOUR_MS) * HOUR_MS).toISOString());
}

function labelOf(field: NumberField, t: ReturnType<typeof TEXTS.get>): string {
  const name = t[`number.${field}`];
  if (field === 'badgeHundredths') return name;
  return t.inUnit({ name, unit: field === 'baseNano' ? t.unitRate : t.unitCord });
}
