import type { AddressRecord, AdminSupportRequest } from '@cord/contracts/http/support';
import { messageOf, useDraft, useTexts, useToasts, useUserId } from '@cord/sdk';
import { Button, cx, formatMultiplier, Row, Stack, TextArea } from '@cord/ui';
import { useId, useRef, useState } from 'react';
import { changesOf } from '../network/changes';
import { TEXTS as NETWORK_TEXTS } from '../network/texts';
import type { useAccount } from '../network/use-network';
import { ConfirmPanel, REASON_MAX } from '../room/confirm-panel';
import { ButtonKey } from '../room/key';
import { KEYS, useKeys } from '../room/keys';
import s from './case.module.css';
import { TEXTS } from './texts';
import { type Decision, useAnswer } from './use-support';

const ANSWER_MAX = 4_000;
const NOTHING = { text: '' };

interface AnswerFormProps {
  request: AdminSupportRequest;
  /** Undefined while loading. */
  author: ReturnType<typeof useAccount>['data'];
  address: AddressRecord | undefined;
}

/** The answer with its decision. The decision is shown and made first, so that the answer describes the current state. */
export function AnswerForm({ request, author, address }: AnswerFormProps) {
  const t = useTexts(TEXTS);
  const network = useTexts(NETWORK_TEXTS);
  const own = useUserId();
  const { show } = useToasts();
  const draft = useDraft(`answer-${request.id}`, NOTHING);
  const { text } = draft.typed;
  const [chosen, choose] = useState<'share' | 'clear' | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const note = useId();
  const { press, isPending, error } = useAnswer(request.id, () => {
    draft.clear();
    show({ kind: 'success', title: t.done });
  });
  const { id, kind, username, userId, taken } = request;
  const others = taken !== null && taken.by !== own ? taken.username : null;
  const answer = text.trim();
  const appeals = kind === 'appeal' && (author?.anticheat.penaltyLevel ?? 0) > 0;
  const shareable = appeals && address && !address.shared ? address : null;
  const decide = (first: Decision['first'], close: boolean) => press({ answer, close, first });
  /** A keyboard shortcut; without an answer it focuses the field. */
  const once = (act: () => void) => () => {
    if (others !== null || isPending) return;
    if (answer === '') field.current?.focus();
    else act();
  };
  useKeys({
    [KEYS.answer]: once(() => decide(null, appeals)),
    ...(appeals ? { [KEYS.clear]: once(() => choose('clear')) } : {}),
    ...(shareable ? { [KEYS.mark]: once(() => choose('share')) } : {}),
  });
  const button = (key?: string) => ({
    needsServer: true,
    loading: isPending,
    loadingText: t.sending,
    disabled: answer === '' || others !== null,
    disabledReason: others === null ? t.answerFirst : t.waits({ name: others }),
    'aria-describedby': note,
    ...(key ? { trailingIcon: <ButtonKey of={key} />, 'aria-keyshortcuts': key } : {}),
  });
  const facts = { kind: t[`kind.${kind}`], number: id.slice(0, 4) };
  // Several people share an address, so its reason does not contain the answer to the author.
  const reason = chosen === 'share' ? t.shareReason(facts) : t.reason({ ...facts, answer }).slice(0, REASON_MAX);
  return (
    <Stack gap={12}>
      <TextArea
        ref={field}
        label={t.answerTo({ name: username })}
        help={t.answerHelp}
        value={text}
        maxLength={ANSWER_MAX}
        onChange={(event) => draft.type({ text: event.target.value })}
        error={error === null || chosen !== null ? undefined : messageOf(error, t.answerFailed)}
      />
      <Row gap={8} wrap>
        {shareable && (
          <Button {...button(KEYS.mark)} variant="primary" onClick={() => choose('share')}>
            {t.share}
          </Button>
        )}
        {appeals && (
          <Button {...button(KEYS.clear)} onClick={() => choose('clear')}>
            {t.clear}
          </Button>
        )}
        {appeals ? (
          <Button {...button(KEYS.answer)} onClick={() => decide(null, true)}>
            {t.keep}
          </Button>
        ) : (
          <>
            <Button {...button(KEYS.answer)} variant="primary" onClick={() => decide(null, false)}>
              {t.answer}
            </Button>
            <Button {...button()} onClick={() => decide(null, true)}>
              {t.close}
            </Button>
          </>
        )}
      </Row>
      <p id={note} className={cx('t-note', s.hint)}>
        {shareable &&
          author &&
          `${t.shareDoes({
            count: shareable.users,
            before: formatMultiplier(author.anticheat.efficiencyMultiplier),
            after: formatMultiplier(1),
          })} `}
        {appeals && `${t.clearDoes({ name: username })} `}
        {t.paysNothing}
      </p>
      {chosen !== null && author && (
        <ConfirmPanel
          key={chosen}
          about={`case-${chosen}-${id}`}
          title={chosen === 'share' ? network.shareTitle : network.clearTitle}
          changes={changesOf(network, author, chosen === 'share' ? address : undefined)}
          confirmText={chosen === 'share' ? t.share : t.clear}
          busyText={t.sending}
          reason={reason}
          busy={isPending}
          error={error}
          failedText={t.answerFailed}
          onClose={() => choose(null)}
          onConfirm={(why) => {
            if (chosen === 'clear') decide({ act: 'clear', userId, reason: why }, true);
            else if (address) decide({ act: 'share', address: address.key, userId, reason: why }, true);
          }}
        />
      )}
    </Stack>
  );
}
