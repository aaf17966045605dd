import type { ListedUser } from '@cord/contracts/http/admin';
import { dateFormat, formatDate, type TabView, type TextsOf, useTexts } from '@cord/sdk';
import {
  Badge,
  Card,
  type Column,
  EmptyState,
  formatAge,
  formatMultiplier,
  Skeleton,
  SkeletonRegion,
  TabErrorPanel,
  Table,
} from '@cord/ui';
import type { MouseEvent } from 'react';
import { Pager, type Pages } from '../room/pager';
import { TEXTS } from './texts';
import type { useUsers } from './use-users';
import s from './users.module.css';

const moment = dateFormat({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

interface UserListProps {
  users: ReturnType<typeof useUsers>;
  pages: Pages;
  view: TabView;
}

/** Accounts that were found, page by page; each leads to its page. */
export function UserList({ users, pages, view }: UserListProps) {
  const t = useTexts(TEXTS);
  const { data, isError, isFetching, isPlaceholderData, refetch } = users;
  if (data === undefined && isError) {
    return <TabErrorPanel title={t.listFailed} onRetry={() => void refetch()} retrying={isFetching} />;
  }
  if (data === undefined) {
    return (
      <SkeletonRegion>
        <Skeleton height={360} />
      </SkeletonRegion>
    );
  }
  if (data.users.length === 0) {
    return (
      <Card>
        <EmptyState title={t.noneTitle} level={2}>
          {t.noneText}
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card padding="none" className={s.clip} aria-label={t.list}>
      <div aria-busy={isPlaceholderData}>
        <Table
          className={s.table}
          caption={t.list}
          columns={columnsOf(t, view)}
          rows={data.users}
          rowKey={({ id }) => id}
        />
      </div>
      <footer className={s.foot}>
        <span>{t.order}</span>
        <Pager pages={pages} nextCursor={data.nextCursor} next={t.next} />
      </footer>
    </Card>
  );
}

function columnsOf(t: TextsOf<typeof TEXTS>, view: TabView): Column<ListedUser>[] {
  return [
    { key: 'name', head: t.name, names: true, cell: (user) => <Name user={user} view={view} /> },
    { key: 'id', head: t.id, from: 1024, cell: ({ id }) => <code className={s.code}>{shortId(id)}</code> },
    {
      key: 'age',
      head: t.age,
      align: 'right',
      from: 768,
      cell: ({ account_age }) => formatAge(account_age, { short: true }),
    },
    { key: 'joined', head: t.joined, from: 768, cell: ({ joinedAt }) => formatDate(Date.parse(joinedAt)) },
    {
      key: 'last',
      head: t.lastSignIn,
      from: 768,
      cell: ({ lastSignInAt }) => moment.format(Date.parse(lastSignInAt)),
    },
    { key: 'network', head: t.network, cell: ({ network }) => standingOf(t, network) },
  ];
}

function Name({ user: { id, username, isAdmin }, view }: { user: ListedUser; view: TabView }) {
  const t = useTexts(TEXTS);
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    view.open(id);
  };
  return (
    <span className={s.name}>
      <a href={view.hrefOf(id)} onClick={open}>
        {username}
      </a>
      {isAdmin && <Badge tone="accent">{t.operator}</Badge>}
    </span>
  );
}

function standingOf(t: TextsOf<typeof TEXTS>, network: ListedUser['network']): string {
  if (network === null) return t.unchecked;
  if (network.cleared) return t.cleared;
  const factor = formatMultiplier(network.efficiencyMultiplier);
  return network.penaltyLevel > 0 ? t.level({ n: network.penaltyLevel, factor }) : t.clean;
}

/** As much of an id as tells it apart on a page. */
export function shortId(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-4)}`;
}
