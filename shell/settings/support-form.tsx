import * as supportEndpoints from '@cord/contracts/addresses/support';
import type { ResponseOf } from '@cord/contracts/calls';
import { ApiError, messageOf, useDraft, useQueryClient, useTexts, useUserId, useWrite } from '@cord/sdk';
import { Button, Input, Notice, Stack, TextArea } from '@cord/ui';
import { type FormEvent, useRef, useState } from 'react';
import s from './settings.module.css';
import { SUPPORT_TEXTS } from './support-texts';
import { supportKey } from './use-support';

export type SupportRequest = ResponseOf<typeof supportEndpoints.file>;

/** Length limits of the contract's schema, which the browser does not load. */
const SUBJECT = { least: 3, most: 120 };
const TEXT = { least: 10, most: 4_000 };

interface SupportFormProps {
  kind: SupportRequest['kind'];
  /** Initial subject. */
  subject?: string;
  onSent(request: SupportRequest): void;
}

/** Subject and text; unsent input is kept, even when the page is left. */
export function SupportForm({ kind, subject: given = '', onSent }: SupportFormProps) {
  const t = useTexts(SUPPORT_TEXTS);
  const draft = useDraft(kind, { subject: given, text: '' });
  const { subject, text } = draft.typed;
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const send = useSend((request) => {
    draft.clear();
    setTried(false);
    onSent(request);
  });
  const subjectShort = subject.trim().length < SUBJECT.least;
  const textShort = text.trim().length < TEXT.least;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!subjectShort && !textShort) return send.press({ kind, subject: subject.trim(), text: text.trim() });
    // Focuses the first invalid field, which shows its requirement.
    form.current?.querySelector<HTMLElement>(subjectShort ? 'input' : 'textarea')?.focus();
  };
  return (
    <Stack ref={form} as="form" gap={16} onSubmit={submit} noValidate>
      <Input
        label={t.subject}
        value={subject}
        maxLength={SUBJECT.most}
        onChange={(event) => draft.type({ subject: event.target.value })}
        error={
          fieldError(send.error, 'subject') ?? (tried && subjectShort ? t.tooShort({ least: SUBJECT.least }) : null)
        }
      />
      <TextArea
        label={t.text}
        value={text}
        maxLength={TEXT.most}
        onChange={(event) => draft.type({ text: event.target.value })}
        help={t.left({ count: TEXT.most - text.length })}
        error={fieldError(send.error, 'text') ?? (tried && textShort ? t.tooShort({ least: TEXT.least }) : null)}
      />
      {send.error !== null && <Notice look="inline" tone="danger" title={messageOf(send.error, t.failed)} announce />}
      <Button
        type="submit"
        variant="primary"
        needsServer
        loading={send.isPending}
        loadingText={t.sending}
        className={s.send}
      >
        {kind === 'appeal' ? t.sendAppeal : t.send}
      </Button>
    </Stack>
  );
}

/** Returns the service's message on one field. */
function fieldError(error: Error | null, field: string): string | null {
  if (!(error instanceof ApiError)) return null;
  return error.fields.find(({ path }) => path.endsWith(field))?.message ?? null;
}

interface Filed {
  kind: SupportRequest['kind'];
  subject: string;
  text: string;
}

/** Sends a request and adds it to the list at once. */
function useSend(onSent: (request: SupportRequest) => void) {
  const queries = useQueryClient();
  const userId = useUserId();
  const key = supportKey(userId);
  return useWrite((api, body: Filed, idempotencyKey) => api.call(supportEndpoints.file, { body, idempotencyKey }), {
    key: ['support', 'file', userId],
    refresh: [key],
    onDone: (request) => {
      queries.setQueryData<SupportRequest[]>(key, (before) => before && [request, ...before]);
      onSent(request);
    },
  });
}
