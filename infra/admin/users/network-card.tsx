import type { UserNetwork } from '@cord/contracts/http/admin';
import { Loaded, type TextsOf, useServerNow, useTexts } from '@cord/sdk';
import { Badge, Card, type Column, cx, formatCount, Row, Skeleton, Table } from '@cord/ui';
import type { useUserNetwork } from '../network/use-network';
import { useMoments } from '../room/moments';
import { shortId } from '../room/short-id';
import { TEXTS } from './texts';
import s from './users.module.css';

type Address = UserNetwork['addresses'][number];

const HOUR_MS = 3_600_000;
/** Nodes publish where they mine at least this often, ms. */
const NOW_MS = 15 * 60_000;

/** Where an account mined in 30 days, by keyed hashes of the addresses. */
export function NetworkCard({ network }: { network: ReturnType<typeof useUserNetwork> }) {
  const t = useTexts(TEXTS);
  const nowMs = useServerNow();
  const { day, when } = useMoments();
  /** `now` while the node saves there, else the day. */
  const lastOf = (at: string) => (nowMs - Date.parse(at) < NOW_MS ? t.now : day(at));
  const columns: Column<Address>[] = [
    {
      key: 'address',
      head: t.address,
      names: true,
      cell: ({ key, counts, shared }) => (
        <Row as="span" inline gap="4px 8px" align="center" wrap className="t-break">
          <code className={cx(s.code, counts && s.counts)}>{shortId(key)}</code>
          {shared && <Badge tone="sky">{t.shared}</Badge>}
        </Row>
      ),
    },
    { key: 'accounts', head: t.accounts, align: 'right', cell: ({ users }) => formatCount(users) },
    {
      key: 'mined',
      head: t.mined,
      align: 'right',
      cell: ({ minedMs }) => t.hours({ n: formatCount(Math.floor(minedMs / HOUR_MS)) }),
    },
    { key: 'last', head: t.last, align: 'right', cell: ({ lastMinedAt }) => lastOf(lastMinedAt) },
  ];
  const loading = (
    <div className={s.loading}>
      <Skeleton height={120} />
    </div>
  );
  return (
    <Card title={t.record} aside={t.days} padding="none" className="l-clip">
      <Loaded query={network} failed={t.recordFailed} loading={loading}>
        {({ addresses, checkedAt, cleared }) => (
          <>
            {addresses.length > 0 && (
              <Table dense caption={t.record} columns={columns} rows={addresses} rowKey={({ key }) => key} />
            )}
            <p className={cx('t-note', s.note)}>
              {countedIn(t, addresses)} {t.checked({ time: when(checkedAt) })}
              {cleared && ` ${t.cleared}.`}
            </p>
          </>
        )}
      </Loaded>
    </Card>
  );
}

function countedIn(t: TextsOf<typeof TEXTS>, addresses: readonly Address[]): string {
  const counted = addresses.find(({ counts }) => counts);
  return counted ? t.countedAt({ key: shortId(counted.key) }) : t.nowhere;
}
