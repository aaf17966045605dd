import type { AddressRecord, AdminSupportRequest } from '@cord/contracts/http/support';
import { Loaded, useTexts, useUserId } from '@cord/sdk';
import {
  Avatar,
  Button,
  Card,
  type Column,
  cx,
  formatAge,
  formatCord,
  formatCount,
  formatMultiplier,
  formatRate,
  Row,
  Skeleton,
  Stack,
  Table,
  UNKNOWN,
} from '@cord/ui';
import type { RefObject } from 'react';
import { levelNameOf, rateIfClear } from '../network/changes';
import { TEXTS as NETWORK_TEXTS } from '../network/texts';
import { useAccount, useAddress } from '../network/use-network';
import { type FactLine, Facts } from '../room/facts';
import { ButtonKey } from '../room/key';
import { KEYS, useKeys } from '../room/keys';
import { dayOfYear, minuteOfYear, useMoments } from '../room/moments';
import { Opened } from '../room/opened';
import { shortId } from '../room/short-id';
import { AnswerForm } from './answer-form';
import s from './case.module.css';
import { TEXTS } from './texts';
import { useCase, useTake } from './use-support';

interface CaseProps {
  id: string;
  onBack: () => void;
  /** The case is restored from an earlier visit, not opened by the operator now. */
  byItself?: RefObject<boolean>;
}

/** One case in any state: loading, failed, deleted or loaded. */
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

/** The address at which the author is counted, as a keyed hash; null if there is none. */
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

type Author = NonNullable<ReturnType<typeof useAccount>['data']>;

/** Facts about the author that matter for an answer. */
function AuthorFacts({ author, name }: { author: ReturnType<typeof useAccount>; name: string }) {
  const t = useTexts(TEXTS);
  return (
    <Card title={name}>
      <Loaded query={author} failed={t.userFailed} loading={<Skeleton height={200} />}>
        {(known) => known && <Known author={known} />}
      </Loaded>
    </Card>
  );
}

/** The author's record. It may come from a newer service, so each part is validated. */
function Known({ author }: { author: Author }) {
  const t = useTexts(TEXTS);
  const network = useTexts(NETWORK_TEXTS);
  const { anticheat } = author;
  const number = (field: string) => (typeof author[field] === 'number' ? author[field] : null);
  const rate = number('rate');
  const factor = anticheat.efficiencyMultiplier;
  const joined = typeof author.join_date === 'string' ? dayOfYear(author.join_date) : UNKNOWN;
  const cases = Array.isArray(author.support) ? author.support.length - 1 : null;
  const facts: FactLine[] = [
    [t.level, t.levelAt({ level: levelNameOf(network, anticheat), factor: formatMultiplier(factor) })],
    [t.rateNow, formatRate(rate)],
    [t.rateIfClear, formatRate(rateIfClear(author))],
    [t.accountAge, formatAge(number('account_age'))],
    [t.balance, formatCord(number('current_balance'))],
    [t.joined, joined],
    [t.badge, author.hasbadgeofhonor === true ? t.badgeHeld : t.badgeNone],
    [t.before, cases === null ? UNKNOWN : String(Math.max(0, cases))],
  ];
  return <Facts facts={facts} />;
}

type Account = AddressRecord['accounts'][number];

interface NetworkRecordProps {
  /** User id of the author. */
  of: string;
  /** Whether the account is counted at an address. */
  known: boolean;
  address: ReturnType<typeof useAddress>;
}

/** The accounts at the author's address, with their node time. */
function NetworkRecord({ of, known, address }: NetworkRecordProps) {
  const t = useTexts(TEXTS);
  const { day } = useMoments();
  const hours = (ms: number) => t.hours({ n: formatCount(Math.floor(ms / HOUR_MS)) });
  const columns: Column<Account>[] = [
    {
      key: 'name',
      head: t.account,
      names: true,
      cell: ({ userId, username }) => <span className={cx(userId === of && s.own)}>{username}</span>,
    },
    { key: 'age', head: t.age, align: 'right', cell: (account) => formatAge(account.account_age, { short: true }) },
    { key: 'here', head: t.minedHere, align: 'right', cell: ({ minedHereMs }) => hours(minedHereMs) },
    {
      key: 'else',
      head: t.minedElsewhere,
      align: 'right',
      from: 768,
      cell: ({ minedElsewhereMs }) => hours(minedElsewhereMs),
    },
    {
      key: 'first',
      head: t.firstSeen,
      align: 'right',
      from: 1024,
      cell: ({ firstDay }) => (firstDay === null ? UNKNOWN : day(firstDay)),
    },
  ];
  return (
    <section aria-label={t.network}>
      <h3 className="t-small t-600">{t.network}</h3>
      {known ? (
        <Loaded query={address} failed={t.networkFailed} loading={<Skeleton height={120} />}>
          {({ key, accounts }) => (
            <>
              <Table
                dense
                className={s.table}
                caption={t.network}
                columns={columns}
                rows={accounts}
                rowKey={({ userId }) => userId}
              />
              <p className={cx('t-note', s.hint)}>{t.address({ key: shortId(key) })}</p>
            </>
          )}
        </Loaded>
      ) : (
        <p className={cx('t-note', s.hint)}>{t.noAddress}</p>
      )}
    </section>
  );
}

const HOUR_MS = 3_600_000;
