import type { AddressRecord, AdminSupportRequest } from '@cord/contracts/http/support';
import { messageOf, SHORT_TOAST_MS, useDraft, useSession, useTexts, useToasts } from '@cord/sdk';
import { Button, TextArea } from '@cord/ui';
import { useId } from 'react';
import s from './case.module.css';
import { TEXTS } from './texts';
import { type Decision, useAnswer, type useAuthor } from './use-support';

/** As long as a reason may be in the audit log. */
const REASON_MAX = 500;
const ANSWER_MAX = 4_000;
const NOTHING = { text: '' };

interface AnswerFormProps {
  request: AdminSupportRequest;
  /** Undefined while not known. */
  author: ReturnType<typeof useAuthor>['data'];
  address: AddressRecord | undefined;
}

/** The answer, and what is decided with it: what changes comes first, so that the answer tells of what is so. */
export function AnswerForm({ request, author, address }: AnswerFormProps) {
  const t = useTexts(TEXTS);
  const own = useSession().user?.id;
  const { show } = useToasts();
  const draft = useDraft(`answer-${request.id}`, NOTHING);
  const { text } = draft.typed;
  const note = useId();
  const { press, isPending, error } = useAnswer(request.id, () => {
    draft.clear();
    show({ kind: 'success', title: t.done, durationMs: SHORT_TOAST_MS });
  });
  const { id, kind, username, userId, taken } = request;
  const others = taken != null && taken.by !== own ? taken.username : null;
  const answer = text.trim();
  const reason = t.reason({ kind: t[`kind.${kind}`], number: id.slice(0, 4), answer }).slice(0, REASON_MAX);
  const penalised = (author?.anticheat.penaltyLevel ?? 0) > 0;
  const decide = (first: Decision['first'], close: boolean) => press({ answer, close, first });
  const button = {
    needsServer: true,
    loading: isPending,
    loadingText: t.sending,
    disabled: answer === '' || others !== null,
    disabledReason: others === null ? t.answerFirst : t.waits({ name: others }),
    'aria-describedby': note,
  };
  return (
    <form className={s.form} onSubmit={(event) => event.preventDefault()}>
      <TextArea
        label={t.answerTo({ name: username })}
        help={t.answerHelp}
        value={text}
        maxLength={ANSWER_MAX}
        onChange={(event) => draft.type({ text: event.target.value })}
        error={error === null ? undefined : messageOf(error, t.answerFailed)}
      />
      <div className={s.ways}>
        {kind === 'appeal' && penalised ? (
          <>
            {address && !address.shared && (
              <Button
                {...button}
                variant="primary"
                onClick={() => decide({ act: 'share', address: address.key, reason }, true)}
              >
                {t.share}
              </Button>
            )}
            <Button {...button} onClick={() => decide({ act: 'clear', userId, reason }, true)}>
              {t.clear}
            </Button>
            <Button {...button} onClick={() => decide(null, true)}>
              {t.keep}
            </Button>
          </>
        ) : (
          <>
            <Button {...button} variant="primary" onClick={() => decide(null, false)}>
              {t.answer}
            </Button>
            <Button {...button} onClick={() => decide(null, true)}>
              {t.close}
            </Button>
          </>
        )}
      </div>
      <p id={note} className={s.hint}>
        {kind === 'appeal' && penalised && address && !address.shared && (
          <>{t.shareSays({ count: address.users, factor: String(author?.anticheat.efficiencyMultiplier ?? 1) })} </>
        )}
        {kind === 'appeal' && penalised && `${t.clearSays} `}
        {t.paysNothing}
      </p>
    </form>
  );
}
