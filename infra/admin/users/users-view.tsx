import { type TextsOf, useTabChoice, useTabParam, useTabView, useTexts } from '@cord/sdk';
import { ChipGroup, formatCount, Row, Stack } from '@cord/ui';
import { useRef } from 'react';
import { KEYS } from '../room/keys';
import { usePages } from '../room/pager';
import { SearchBox } from '../room/search-box';
import { useKeys } from '../room/use-keys';
import { TEXTS } from './texts';
import { useUsers, WHO } from './use-users';
import { UserList } from './user-list';
import { UserPage } from './user-page';

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
  /** Whatever is looked for stands in the list. */
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

/** How many there are on the first page, and whether there are more; on a later one that is not known. */
function foundOf(
  t: TextsOf<typeof TEXTS>,
  { users, nextCursor }: NonNullable<ReturnType<typeof useUsers>['data']>,
): string {
  return (nextCursor === null ? t.found : t.foundMore)({ count: formatCount(users.length) });
}
