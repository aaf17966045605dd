import type { UserSession } from '@cord/contracts/http/admin';
import { deviceIn } from '@cord/contracts/rules/device';
import { useTexts } from '@cord/sdk';
import { type Column, EmptyState } from '@cord/ui';
import { useMoments } from '../room/moments';
import { TEXTS as SUPPORT_TEXTS } from '../support/texts';
import { PartOf } from './part';
import { TEXTS } from './texts';
import { useUserSessions } from './use-users';
import type { Account } from './user-page';
import s from './users.module.css';

/** Where an account is signed in. */
export function SessionsPart({ userId }: { userId: string }) {
  const t = useTexts(TEXTS);
  const { minute } = useMoments();
  const texts = { of: t.deviceOf, unknown: t.deviceUnknown };
  const columns: Column<UserSession>[] = [
    { key: 'device', head: t.device, names: true, cell: ({ device }) => deviceIn(texts, device) },
    { key: 'begun', head: t.signedIn, cell: ({ createdAt }) => minute(createdAt) },
    { key: 'seen', head: t.seen, align: 'right', cell: ({ lastSeenAt }) => minute(lastSeenAt) },
  ];
  return (
    <PartOf
      query={useUserSessions(userId)}
      failed={t.signinsFailed}
      caption={t['part.signins']}
      columns={columns}
      rowsOf={({ sessions }) => sessions}
      rowKey={({ createdAt, device }) => `${createdAt} ${device}`}
      empty={{ title: t.noSignins, text: t.noSigninsText }}
    />
  );
}

const KINDS = ['support', 'appeal', 'refund'] as const;
const STATES = ['open', 'answered', 'closed'] as const;

/** The requests of an account; each leads to its case. */
export function CasesPart({ account }: { account: Account }) {
  const t = useTexts(TEXTS);
  const support = useTexts(SUPPORT_TEXTS);
  const { minute } = useMoments();
  const cases = casesOf(account.support);
  if (cases.length === 0) {
    return (
      <EmptyState title={t.noCases} level={2}>
        {t.noCasesText}
      </EmptyState>
    );
  }
  return (
    <ul className={s.cases}>
      {cases.map(({ id, kind, status, subject, createdAt }) => (
        <li key={id}>
          <a href={`?${new URLSearchParams({ tab: 'admin', view: 'support', case: id })}`}>{subject}</a>
          <span className="t-note">
            {support[`kind.${kind}`]}, {support[`states.${status}`]}, {minute(createdAt)}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface CaseOf {
  id: string;
  kind: (typeof KINDS)[number];
  status: (typeof STATES)[number];
  subject: string;
  createdAt: string;
}

/** The record is open to fields of newer services: what is no case is skipped. */
function casesOf(support: unknown): CaseOf[] {
  return Array.isArray(support) ? support.filter(isCase) : [];
}

function isCase(one: unknown): one is CaseOf {
  const { id, kind, status, subject, createdAt } = (one ?? {}) as Partial<Record<keyof CaseOf, unknown>>;
  return (
    [id, subject, createdAt].every((text) => typeof text === 'string') &&
    (KINDS as readonly unknown[]).includes(kind) &&
    (STATES as readonly unknown[]).includes(status)
  );
}
