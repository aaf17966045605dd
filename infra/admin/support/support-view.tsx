import type { AdminSupportRequest } from '@cord/contracts/http/support';
import { Loaded, type TabView, useServerNow, useTabChoice, useTabParam, useTabView, useTexts } from '@cord/sdk';
import { AsLeft } from '@cord/sdk/views';
import {
  Badge,
  type BadgeTone,
  Card,
  ChipGroup,
  cx,
  EmptyState,
  HonorBadge,
  Row,
  SkeletonRegion,
  Stack,
} from '@cord/ui';
import { useRef } from 'react';
import { useOverview } from '../overview/use-overview';
import { KEYS, useKeys } from '../room/keys';
import shared from '../room/list.module.css';
import { minutesText } from '../room/moments';
import { linkTo } from '../room/opened';
import { Foot, type Pages, usePages } from '../room/pager';
import { SearchBox } from '../room/search-box';
import { StateChips } from '../room/state-chips';
import { Case } from './case';
import s from './support.module.css';
import { TEXTS } from './texts';
import { KINDS, STATES, useCases, type Wanted } from './use-support';

/** The queue and the open case: `?tab=admin&view=support&case=ID`. */
export default function SupportView() {
  const t = useTexts(TEXTS);
  const [kind, setKind] = useTabChoice('kind', KINDS);
  const [status, setStatus] = useTabChoice('state', STATES);
  const [param, setSearch] = useTabParam('search');
  const search = param ?? '';
  const view = useTabView('case');
  const pages = usePages(`${kind} ${status} ${search}`);
  const cases = useCases({ kind, status, search, cursor: pages.cursor });
  const box = useRef<HTMLInputElement>(null);
  const byItself = useRef(false);
  const step = (by: 1 | -1) => {
    const ids = cases.data?.requests.map(({ id }) => id) ?? [];
    const next = ids[Math.min(ids.length - 1, Math.max(0, ids.indexOf(view.value ?? '') + by))];
    if (next !== undefined) view.open(next);
  };
  useKeys({
    [KEYS.search]: () => box.current?.focus(),
    [KEYS.next]: () => step(1),
    [KEYS.previous]: () => step(-1),
    [KEYS.close]: () => view.value !== null && view.close(),
  });
  return (
    <>
      <CasesLeft onCase={() => (byItself.current = true)} />
      <Stack gap={16}>
        <Row as="header" gap="4px 16px" align="center" between wrap>
          <h1 className="t-h1">{t.title}</h1>
          <SearchBox ref={box} label={t.search} term={search} onTerm={setSearch} />
        </Row>
        <Stack gap={16} className={cx(s.columns, view.value !== null && s.opened)}>
          <CaseList
            cases={cases}
            {...{ kind, status, search, view }}
            onKind={setKind}
            onStatus={setStatus}
            pages={pages}
          />
          {view.value === null ? (
            <Card look="flat" className="l-from1024 c-2">
              {t.choose}
            </Card>
          ) : (
            <Case key={view.value} id={view.value} onBack={view.close} byItself={byItself} />
          )}
        </Stack>
      </Stack>
    </>
  );
}

/** The queue with the filter, search and open case of the last visit. */
function CasesLeft({ onCase }: { onCase: () => void }) {
  const t = useTexts(TEXTS);
  const [kind] = useTabChoice('kind', KINDS);
  const [status] = useTabChoice('state', STATES);
  const kept = {
    kind: useTabParam('kind'),
    state: useTabParam('state'),
    search: useTabParam('search'),
    case: useTabParam('case'),
  };
  const [search] = kept.search;
  const [open] = kept.case;
  return (
    <AsLeft
      place="support"
      kept={kept}
      chosen={[
        kind !== KINDS[0] && t[`kinds.${kind}`],
        status !== STATES[0] && t[`states.${status}`],
        open !== null && t.leftCase({ number: open.slice(0, 4) }),
      ]}
      search={search}
      onReturn={(left) => left.case && onCase()}
    />
  );
}

interface CaseListProps extends Pick<Wanted, 'kind' | 'status' | 'search'> {
  cases: ReturnType<typeof useCases>;
  view: TabView;
  onKind: (kind: Wanted['kind']) => void;
  onStatus: (status: Wanted['status']) => void;
  pages: Pages;
}

/** Cases of a kind and state, badge holders first, then oldest first, in pages. */
function CaseList({ cases, kind, status, search, view, onKind, onStatus, pages }: CaseListProps) {
  const t = useTexts(TEXTS);
  const waiting = useOverview().data?.requests;
  /** Counts exist for open cases only. */
  const countOf = (value: Wanted['kind']) =>
    status === 'open'
      ? waiting?.reduce((sum, { kind: one, open }) => (value === 'all' || value === one ? sum + open : sum), 0)
      : undefined;
  return (
    <Card padding="none" className={shared.card} aria-label={t.list}>
      <div className={s.controls}>
        <ChipGroup
          className="l-wrap"
          label={t.kinds}
          value={kind}
          options={KINDS.map((value) => ({ value, label: t[`kinds.${value}`], count: countOf(value) }))}
          onChange={onKind}
        />
        <StateChips className="l-wrap" label={t.states} texts={t} of={STATES} value={status} onChange={onStatus} />
      </div>
      <Listed cases={cases} view={view} plain={kind === 'all' && status === 'open' && search === ''} />
      <Foot pages={pages} nextCursor={cases.data?.nextCursor} next={t.next}>
        {t.order}
      </Foot>
    </Card>
  );
}

function Listed({ cases, view, plain }: Pick<CaseListProps, 'cases' | 'view'> & { plain: boolean }) {
  const t = useTexts(TEXTS);
  const loading = <SkeletonRegion className={shared.loading} heights={[48, 48, 48]} />;
  return (
    <Loaded query={cases} failed={t.failed} loading={loading}>
      {({ requests }) =>
        requests.length === 0 ? (
          <EmptyState title={plain ? t.emptyTitle : t.noneTitle}>{plain ? t.emptyText : t.noneText}</EmptyState>
        ) : (
          <ul aria-busy={cases.isPlaceholderData} className="l-renewed">
            {requests.map((request) => (
              <li key={request.id}>
                <Listing request={request} view={view} />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

const TONES: Record<AdminSupportRequest['kind'], BadgeTone> = { appeal: 'warn', refund: 'sky', support: 'plain' };

function Listing({ request, view }: { request: AdminSupportRequest; view: TabView }) {
  const t = useTexts(TEXTS);
  const nowMs = useServerNow();
  const { id, kind, username, subject, priority, createdAt } = request;
  return (
    <a className={s.row} {...linkTo(view, id)} aria-current={id === view.value || undefined}>
      <Row as="span" gap={8} align="center" className="l-narrow">
        <strong className="t-cut" title={username}>
          {username}
        </strong>
        {priority && <HonorBadge />}
      </Row>
      <span className={cx('t-note', s.kind)} data-number>
        {minutesText(nowMs - Date.parse(createdAt))}
      </span>
      <span className="t-note t-cut">{subject}</span>
      <Badge tone={TONES[kind]} className={s.kind}>
        {t[`kind.${kind}`]}
      </Badge>
    </a>
  );
}
