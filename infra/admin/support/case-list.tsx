import type { AdminSupportRequest } from '@cord/contracts/http/support';
import { Loaded, type TabView, useServerNow, useTexts } from '@cord/sdk';
import {
  Badge,
  type BadgeTone,
  Card,
  ChipGroup,
  cx,
  EmptyState,
  formatSpan,
  HonorBadge,
  Skeleton,
  SkeletonRegion,
} from '@cord/ui';
import { useOverview } from '../overview/use-overview';
import { linkTo } from '../room/follow';
import shared from '../room/list.module.css';
import { Foot, type Pages } from '../room/pager';
import s from './case-list.module.css';
import { TEXTS } from './texts';
import { KINDS, STATES, type useCases, type Wanted } from './use-support';

interface CaseListProps extends Pick<Wanted, 'kind' | 'status' | 'search'> {
  cases: ReturnType<typeof useCases>;
  view: TabView;
  onKind: (kind: Wanted['kind']) => void;
  onStatus: (status: Wanted['status']) => void;
  pages: Pages;
}

/** Cases of a kind and state, badge holders first, then the oldest; page by page. */
export function CaseList({ cases, kind, status, search, view, onKind, onStatus, pages }: CaseListProps) {
  const t = useTexts(TEXTS);
  const waiting = useOverview().data?.requests;
  /** Known of open ones alone. */
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
        <ChipGroup
          className="l-wrap"
          label={t.states}
          value={status}
          options={STATES.map((value) => ({ value, label: t[`states.${value}`] }))}
          onChange={onStatus}
        />
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
  const loading = (
    <SkeletonRegion className={shared.loading}>
      <Skeleton height={48} />
      <Skeleton height={48} />
      <Skeleton height={48} />
    </SkeletonRegion>
  );
  return (
    <Loaded query={cases} failed={t.failed} loading={loading}>
      {({ requests }) =>
        requests.length === 0 ? (
          <EmptyState title={plain ? t.emptyTitle : t.noneTitle}>{plain ? t.emptyText : t.noneText}</EmptyState>
        ) : (
          <ul aria-busy={cases.isPlaceholderData} className="l-renewed">
            {requests.map((request) => (
              <li key={request.id}>
                <Row request={request} view={view} />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

const TONES: Record<AdminSupportRequest['kind'], BadgeTone> = { appeal: 'warn', refund: 'sky', support: 'plain' };

function Row({ request, view }: { request: AdminSupportRequest; view: TabView }) {
  const t = useTexts(TEXTS);
  const nowMs = useServerNow();
  const { id, kind, username, subject, priority, createdAt } = request;
  return (
    <a className={s.row} {...linkTo(view, id)} aria-current={id === view.value || undefined}>
      <span className={s.name}>
        <strong className="t-cut" title={username}>
          {username}
        </strong>
        {priority && <HonorBadge />}
      </span>
      <span className={cx('t-note', s.kind)} data-number>
        {formatSpan(Math.floor((nowMs - Date.parse(createdAt)) / MINUTE_MS) * MINUTE_MS)}
      </span>
      <span className="t-note t-cut">{subject}</span>
      <Badge tone={TONES[kind]} className={s.kind}>
        {t[`kind.${kind}`]}
      </Badge>
    </a>
  );
}

const MINUTE_MS = 60_000;
