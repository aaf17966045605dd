import type { ListedUser } from '@cord/contracts/http/admin';
import { Loaded, type TabView, type TextsOf, useTabChoice, useTabParam, useTabView, useTexts } from '@cord/sdk';
import {
  Badge,
  Card,
  ChipGroup,
  type Column,
  cx,
  EmptyState,
  formatAge,
  formatCount,
  formatMultiplier,
  Row,
  SkeletonRegion,
  Stack,
  Table,
} from '@cord/ui';
import { useRef } from 'react';
import { KEYS, useKeys } from '../room/keys';
import { dayOfYear, useMoments } from '../room/moments';
import { linkTo } from '../room/opened';
import { Foot, type Pages, usePages } from '../room/pager';
import { SearchBox } from '../room/search-box';
import { shortId } from '../room/short-id';
import { TEXTS } from './texts';
import { useUsers, WHO } from './use-users';
import { UserPage } from './user-page';
import s from './users.module.css';

/** The accounts, or one of them: `?tab=admin&view=users&user=ID`. */
export default function UsersView() {
  const t = useTexts(TEXTS);
  const [param, setSearch] = useTabParam('name');
  const [who, setWho] = useTabChoice('who', WHO);
  const view = useTabView('user');
  const [, setUser] = useTabParam('user');
  const search = param ?? '';
  const pages = usePages(`${who} ${search}`);
  const users = useUsers({ who, search, cursor: pages.cursor });
  const { data } = users;
  const isFirst = pages.cursor === null;
  const found = search !== '' && isFirst && !users.isPlaceholderData && data ? foundOf(t, data) : undefined;
  const box = useRef<HTMLInputElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const step = (by: 1 | -1) => {
    const links = [...(rows.current?.querySelectorAll<HTMLElement>('tbody a') ?? [])];
    const next = links.indexOf(document.activeElement as HTMLElement) + by;
    links[Math.min(links.length - 1, Math.max(0, next))]?.focus();
  };
  useKeys({
    [KEYS.search]: () => box.current?.focus(),
    [KEYS.next]: () => step(1),
    [KEYS.previous]: () => step(-1),
    [KEYS.close]: () => view.value !== null && view.close(),
  });
  /** A new search or filter returns to the list. */
  const look = (change: () => void) => {
    setUser(null);
    change();
  };
  return (
    <Stack gap={16}>
      <Row as="header" gap="12px 16px" align="center" between wrap>
        <h1 className="t-h1">{t.title}</h1>
        <SearchBox
          ref={box}
          label={t.search}
          term={search}
          found={found}
          onTerm={(term) => look(() => setSearch(term))}
        />
      </Row>
      {view.value === null ? (
        <>
          <ChipGroup
            label={t.who}
            value={who}
            options={WHO.map((value) => ({ value, label: t[`who.${value}`] }))}
            onChange={(next) => look(() => setWho(next))}
          />
          <div ref={rows}>
            <UserList users={users} pages={pages} view={view} />
          </div>
        </>
      ) : (
        <UserPage key={view.value} id={view.value} onBack={view.close} />
      )}
    </Stack>
  );
}

/** The number of accounts found on the first page, and whether there are more; unknown on a later page. */
function foundOf(
  t: TextsOf<typeof TEXTS>,
  { users, nextCursor }: NonNullable<ReturnType<typeof useUsers>['data']>,
): string {
  return (nextCursor === null ? t.found : t.foundMore)({ count: formatCount(users.length) });
}

interface UserListProps {
  users: ReturnType<typeof useUsers>;
  pages: Pages;
  view: TabView;
}

/** Found accounts in pages, each linked to its page. */
function UserList({ users, pages, view }: UserListProps) {
  const t = useTexts(TEXTS);
  const loading = <SkeletonRegion heights={[360]} />;
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
