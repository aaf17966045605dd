import { normaliseCode } from '@cord/contracts/rules/codes';
import { useDraft, useTexts } from '@cord/sdk';
import { Button, Input, Stack } from '@cord/ui';
import type { FormEvent } from 'react';
import s from './code-form.module.css';
import { TEXTS } from './texts';
import type { EnterCode } from './use-referrals';

const CODE_MOST = 32;
const NOTHING = { code: '' };

/**
 * The field for a friend's code, shown in capitals. It is normalised as it is submitted: changing it while it is typed would throw
 * the caret to its end. What was typed stays until a code is accepted.
 */
export function CodeForm({ entry }: { entry: EnterCode }) {
  const t = useTexts(TEXTS);
  const draft = useDraft('referral-code', NOTHING);
  const typed = draft.typed.code;
  const { submit, processing, error } = entry;
  const blank = typed.trim() === '';
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit(normaliseCode(typed));
  };
  return (
    <Stack as="form" gap={12} onSubmit={onSubmit} noValidate>
      <Input
        label={t.inputLabel}
        placeholder={t.inputHint}
        code
        className={s.field}
        maxLength={CODE_MOST}
        autoCapitalize="characters"
        value={typed}
        onChange={(event) => draft.type({ code: event.target.value })}
        error={error}
      />
      <Button
        type="submit"
        needsServer
        block
        disabled={blank}
        disabledReason={t.submitBlank}
        loading={processing}
        loadingText={t.submitting}
      >
        {t.submit}
      </Button>
    </Stack>
  );
}

/** What the accepted code brought; it stays when the panel turns into that of a referred user. */
export function CodeSuccess({ entry: { success } }: { entry: EnterCode }) {
  return <div role="status">{success !== null && <p className={s.success}>{success}</p>}</div>;
}
