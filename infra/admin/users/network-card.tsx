import type { UserNetwork } from '@cord/contracts/http/admin';
import { dateFormat, useTexts } from '@cord/sdk';
import { Badge, Card, type Column, cx, formatCount, Skeleton, TabErrorPanel, Table } from '@cord/ui';
import type { useUserNetwork } from '../network/use-network';
import { TEXTS } from './texts';
import { shortId } from './user-list';
import s from './users.module.css';

type Address = UserNetwork['addresses'][number];

const HOUR_MS = 3_600_000;
const clock = dateFormat({ hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** Where an account mined in 30 days, by keyed hashes of the addresses. */
export function NetworkCard({ network }: { network: ReturnType<typeof useUserNetwork> }) {
  const t = useTexts(TEXTS);
  const { data, isError, isFetching, refetch } = network;
  const columns: Column<Address>[] = [
    {
      key: 'address',
      head: t.address,
      names: true,
      cell: ({ key, counts, shared }) => (
        <span className={s.name}>
          <code className={cx(s.code, counts && s.counts)}>{shortId(key)}</code>
          {shared && <Badge tone="sky">{t.shared}</Badge>}
        </span>
      ),
    },
    { key: 'accounts', head: t.accounts, align: 'right', cell: ({ users }) => formatCount(users) },
    {
      key: 'mined',
      head: t.mined,
      align: 'right',
      cell: ({ minedMs }) => t.hours({ n: formatCount(Math.floor(minedMs / HOUR_MS)) }),
    },
  ];
  const counted = data?.addresses.find(({ counts }) => counts);
  return (
    <Card title={t.record} aside={t.days} padding="none" className={s.clip}>
      {data === undefined && isError && (
        <TabErrorPanel compact title={t.recordFailed} onRetry={() => void refetch()} retrying={isFetching} />
      )}
      {data === undefined && !isError && (
        <div className={s.loading}>
          <Skeleton height={120} />
        </div>
      )}
      {data && (
        <>
          {data.addresses.length > 0 && (
            <Table
              className={s.table}
              caption={t.record}
              columns={columns}
              rows={data.addresses}
              rowKey={({ key }) => key}
            />
          )}
          <p className={s.note}>
            {counted ? t.countedAt({ key: shortId(counted.key) }) : t.nowhere}{' '}
            {t.checked({ time: clock.format(Date.parse(data.checkedAt)) })}
            {data.cleared && ` ${t.cleared}.`}
          </p>
        </>
      )}
    </Card>
  );
}
