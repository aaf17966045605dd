import type { AddressRecord } from '@cord/contracts/http/support';
import { Loaded, useTexts } from '@cord/sdk';
import { type Column, cx, formatAge, formatCount, Skeleton, Table, UNKNOWN } from '@cord/ui';
import type { useAddress } from '../network/use-network';
import { useMoments } from '../room/moments';
import { shortId } from '../room/short-id';
import s from './case.module.css';
import { TEXTS } from './texts';

type Account = AddressRecord['accounts'][number];

interface NetworkRecordProps {
  /** Whose case it is. */
  of: string;
  /** Whether that account counts anywhere. */
  known: boolean;
  address: ReturnType<typeof useAddress>;
}

/** Who counts where the author counts, with the node time of each. */
export function NetworkRecord({ of, known, address }: NetworkRecordProps) {
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
