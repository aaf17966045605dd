import type { AdminSupportRequest } from '@cord/contracts/http/support';
import { useTexts, useUserId } from '@cord/sdk';
import { Avatar, Button, Card, Row, Stack } from '@cord/ui';
import type { RefObject } from 'react';
import { useAccount, useAddress } from '../network/use-network';
import { ButtonKey } from '../room/key';
import { KEYS } from '../room/keys';
import { minuteOfYear, useMoments } from '../room/moments';
import { Opened } from '../room/opened';
import { useKeys } from '../room/use-keys';
import { AnswerForm } from './answer-form';
import { AuthorFacts } from './author-facts';
import s from './case.module.css';
import { NetworkRecord } from './network-record';
import { TEXTS } from './texts';
import { useCase, useTake } from './use-support';

interface CaseProps {
  id: string;
  onBack: () => void;
  /** It was left open, and no operator has opened it now. */
  byItself?: RefObject<boolean>;
}

/** One case in whichever state it is: loading, failed, gone, or there. */
export function Case({ id, onBack, byItself }: CaseProps) {
  const t = useTexts(TEXTS);
  return (
    <Opened
      query={useCase(id)}
      texts={{ backTo: t.backTo, failed: t.caseFailed, goneTitle: t.goneTitle, goneText: t.goneText }}
      onBack={onBack}
      byItself={byItself}
      backClassName="l-below1024"
      testId="case"
    >
      {(data) => <There request={data} />}
    </Opened>
  );
}

function There({ request }: { request: AdminSupportRequest }) {
  const t = useTexts(TEXTS);
  const { userId, kind, username, subject, text, id, createdAt } = request;
  const author = useAccount(userId);
  const address = useAddress(kind === 'appeal' ? addressOf(author.data) : null);
  const number = id.slice(0, 4);
  return (
    <Stack gap={16} className={s.columns}>
      <Card className={s.main}>
        <Row gap={12} align="flex-start" wrap>
          <Avatar name={username} size={40} />
          <div className={s.texts}>
            <h2 className="t-h3">{t.heading({ name: username, subject })}</h2>
            <p className="t-note">
              {t.about({ kind: t[`kind.${kind}`], number, time: minuteOfYear(createdAt) })} <Desk request={request} />
            </p>
          </div>
          {request.status === 'open' && <TakeButton request={request} />}
        </Row>
        <p className={s.text}>{text}</p>
        {kind === 'appeal' && author.data && (
          <NetworkRecord of={userId} known={addressOf(author.data) !== null} address={address} />
        )}
        {request.answer === null ? (
          <AnswerForm request={request} author={author.data} address={address.data} />
        ) : (
          <>
            <h3 className="t-small t-600">
              {t.answered({ time: request.answeredAt ? minuteOfYear(request.answeredAt) : '' })}
            </h3>
            <p className={s.text}>{request.answer}</p>
          </>
        )}
      </Card>
      <AuthorFacts author={author} name={username} />
    </Stack>
  );
}

/** Where the author counts, by its keyed hash; null where nowhere. */
function addressOf(author: ReturnType<typeof useAccount>['data']): string | null {
  const key = author?.addressKey;
  return typeof key === 'string' ? key : null;
}

function Desk({ request: { taken, status } }: { request: AdminSupportRequest }) {
  const t = useTexts(TEXTS);
  const own = useUserId();
  const { when } = useMoments();
  if (status !== 'open') return null;
  if (taken === null) return t.nobody;
  const time = when(taken.at);
  return taken.by === own ? t.takenByYou({ time }) : t.takenBy({ name: taken.username, time });
}

function TakeButton({ request: { id, taken } }: { request: AdminSupportRequest }) {
  const t = useTexts(TEXTS);
  const own = useUserId();
  const { press, isPending } = useTake(id);
  const mine = taken !== null && taken.by === own;
  const others = taken !== null && !mine;
  useKeys({ [KEYS.take]: () => others || press(!mine) });
  return (
    <Button
      size="sm"
      needsServer
      loading={isPending}
      disabled={others}
      disabledReason={others ? t.waits({ name: taken.username }) : undefined}
      trailingIcon={<ButtonKey of={KEYS.take} />}
      aria-keyshortcuts={KEYS.take}
      onClick={() => press(!mine)}
    >
      {mine ? t.putBack : t.take}
    </Button>
  );
}
