import { formatDate, Loaded, useSessionValue, useTexts, useToasts } from '@cord/sdk';
import { Badge, type BadgeTone, Notice, SettingRow, Skeleton, WaitingBadge } from '@cord/ui';
import { Check, Medal } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Section } from './section';
import s from './settings.module.css';
import { SupportForm, type SupportRequest } from './support-form';
import { SUPPORT_TEXTS } from './support-texts';
import { useSupport } from './use-support';

/** Support: a form, and the requests with their answers. */
export function Support() {
  const t = useTexts(SUPPORT_TEXTS);
  const isHonored = useSessionValue(({ user }) => user?.hasbadgeofhonor === true);
  const toasts = useToasts();
  const [sentId, setSentId] = useState<string | null>(null);
  const sent = ({ id }: SupportRequest) => {
    setSentId(id);
    toasts.show({ kind: 'success', title: t.sent, text: t.sentText });
  };
  return (
    <Section title={t.title} text={t.intro}>
      {isHonored && (
        <Notice look="inline" tone="honor" icon={<Medal />} title={t.priority}>
          {t.priorityText}
        </Notice>
      )}
      <SupportForm kind="support" onSent={sent} />
      <Requests sentId={sentId} />
    </Section>
  );
}

/** @param sentId request just sent from here, which gets the focus */
function Requests({ sentId }: { sentId: string | null }) {
  const t = useTexts(SUPPORT_TEXTS);
  const requests = useSupport();
  const section = (list: ReactNode) => (
    <section aria-label={t.requests}>
      <h3 className="t-600 t-break">{t.requests}</h3>
      {list}
    </section>
  );
  return (
    <Loaded query={requests} failed={t.requestsFailed} loading={section(<Skeleton height={18} />)}>
      {(data) =>
        section(
          data.length === 0 ? (
            <p className="t-note">{t.noRequests}</p>
          ) : (
            <ul className="l-lines">
              {data.map((request) => (
                <Request key={request.id} request={request} isNew={request.id === sentId} />
              ))}
            </ul>
          ),
        )
      }
    </Loaded>
  );
}

function Request({ request, isNew }: { request: SupportRequest; isNew: boolean }) {
  const own = useRef<HTMLLIElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    // Once only: settings kept behind a view run their effects again on return.
    if (!isNew || hadFocus.current) return;
    hadFocus.current = true;
    own.current?.focus();
  }, [isNew]);
  const t = useTexts(SUPPORT_TEXTS);
  const { kind, subject, text, answer, createdAt, answeredAt } = request;
  return (
    <li ref={own} className={s.request} tabIndex={isNew ? -1 : undefined}>
      <SettingRow title={subject} help={t.filed({ kind: t[`kinds.${kind}`], day: formatDate(Date.parse(createdAt)) })}>
        <Status request={request} />
      </SettingRow>
      <p className={s.letter}>{text}</p>
      {answer !== null && (
        <div className={s.answer}>
          {answeredAt !== null && <p className="t-note">{t.answer({ day: formatDate(Date.parse(answeredAt)) })}</p>}
          <p className={s.letter}>{answer}</p>
        </div>
      )}
    </li>
  );
}

const TONES: Record<Exclude<SupportRequest['status'], 'open'>, BadgeTone> = { answered: 'live', closed: 'plain' };

function Status({ request: { status } }: { request: SupportRequest }) {
  const t = useTexts(SUPPORT_TEXTS);
  if (status === 'open') return <WaitingBadge>{t['statuses.open']}</WaitingBadge>;
  return (
    <Badge tone={TONES[status]} icon={<Check size={16} />}>
      {t[`statuses.${status}`]}
    </Badge>
  );
}
