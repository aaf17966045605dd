import type { ListedUser } from '@cord/contracts/http/admin';
import { Loaded, type TabView, type TextsOf, useTexts } from '@cord/sdk';
import {
  Badge,
  Card,
  type Column,
  cx,
  EmptyState,
  formatAge,
  formatMultiplier,
  Row,
  Skeleton,
  SkeletonRegion,
  Table,
} from '@cord/ui';
import { linkTo } from '../room/follow';
import { dayOfYear, useMoments } from '../room/moments';
import { Foot, type Pages } from '../room/pager';
import { shortId } from '../room/short-id';
import { TEXTS } from './texts';
import type { useUsers } from './use-users';
import s from './users.module.css';

interface UserListProps {
  users: ReturnType<typeof useUsers>;
  pages: Pages;
  view: TabView;
}

/** Accounts that were found, page by page; each leads to its page. */
export function UserList({ users, pages, view }: UserListProps) {
  const t = useTexts(TEXTS);
  const loading = (
    <SkeletonRegion>
      <Skeleton height={360} />
    </SkeletonRegion>
  );
  return (
    <Loaded query={users} failed={t.listFailed} compact={false} loading={loading}>
      {(page) => <Listed page={page} busy={users.isPlaceholderData} {...{ pages, view }} />}
    </Loaded>
  );
}

interface ListedProps extends Pick<UserListProps, 'pages' | 'view'> {
  page: NonNullable<UserListProps['users']['data']>;
  busy: boolean;
}

function Listed({ page, busy, pages, view }: ListedProps) {
  const t = useTexts(TEXTS);
  const columns = useColumns(view);
  if (page.users.length === 0) {
    return (
      <Card>
        <EmptyState title={t.noneTitle} level={2}>
          {t.noneText}
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card padding="none" className="l-clip" aria-label={t.list}>
      <div aria-busy={busy}>
        <Table dense caption={t.list} columns={columns} rows={page.users} rowKey={({ id }) => id} />
      </div>
      <Foot pages={pages} nextCursor={page.nextCursor} next={t.next}>
        {t.order}
      </Foot>
    </Card>
  );
}

function useColumns(view: TabView): Column<ListedUser>[] {
  const t = useTexts(TEXTS);
  const { minute } = useMoments();
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
    { key: 'joined', head: t.joined, from: 768, cell: ({ joinedAt }) => dayOfYear(joinedAt) },
    {
      key: 'last',
      head: t.lastSignIn,
      from: 768,
      cell: ({ lastSignInAt }) => minute(lastSignInAt),
    },
    { key: 'network', head: t.network, cell: ({ network }) => standingOf(t, network) },
  ];
}

function Name({ user: { id, username, isAdmin }, view }: { user: ListedUser; view: TabView }) {
  const t = useTexts(TEXTS);
  return (
    <Row as="span" inline gap="4px 8px" align="center" wrap className={cx('t-break', s.name)}>
      <a {...linkTo(view, id)}>{username}</a>
      {isAdmin && <Badge tone="accent">{t.operator}</Badge>}
    </Row>
  );
}

function standingOf(t: TextsOf<typeof TEXTS>, network: ListedUser['network']): string {
  if (network === null) return t.unchecked;
  if (network.cleared) return t.cleared;
  const factor = formatMultiplier(network.efficiencyMultiplier);
  return network.penaltyLevel > 0 ? t.level({ n: network.penaltyLevel, factor }) : t.clean;
}
