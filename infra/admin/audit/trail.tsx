import type { AuditEntry } from '@cord/contracts/http/support';
import { Loaded, type TextsOf, useTexts, useToasts } from '@cord/sdk';
import { type Column, EmptyState, LinkButton, Notice, SkeletonRegion, Table, UNKNOWN, VisuallyHidden } from '@cord/ui';
import { useChosen } from '../room/act-write';
import { ConfirmPanel } from '../room/confirm-panel';
import { useMoments } from '../room/moments';
import { Foot, type Pages, usePages } from '../room/pager';
import { shortId } from '../room/short-id';
import { TEXTS as RULES_TEXTS } from '../rules/texts';
import { ACT_TEXTS, actName, factText, factValue } from './act-texts';
import { changedBy } from './changes';
import { TEXTS } from './texts';
import s from './trail.module.css';
import { type Filter, groupViews, useTrail, useUndo } from './use-trail';

interface TrailProps {
  filter: Filter;
  /** For a narrow card of one account: leaves out the columns that it does not need. */
  brief?: boolean;
}

/** The entries that match a filter, newest first, in pages. An entry that can be undone has a button for it. */
export function Trail({ filter, brief = false }: TrailProps) {
  const t = useTexts(TEXTS);
  const pages = usePages(JSON.stringify(filter));
  const trail = useTrail(filter, pages.cursor);
  const loading = <SkeletonRegion className={s.loading} heights={[320]} />;
  return (
    <Loaded query={trail} failed={t.failed} loading={loading}>
      {(data) => <Lines data={data} busy={trail.isPlaceholderData} pages={pages} brief={brief} />}
    </Loaded>
  );
}

interface LinesProps {
  data: NonNullable<ReturnType<typeof useTrail>['data']>;
  busy: boolean;
  pages: Pages;
  brief: boolean;
}

/** Columns that a narrow card leaves out. */
const LEFT_OUT = ['on', 'before', 'request'];

function Lines({ data, busy, pages, brief }: LinesProps) {
  const t = useTexts(TEXTS);
  const { chosen, choose, finish } = useChosen('undo');
  const columns = useColumns(choose);
  const entry = data.entries.find(({ id }) => id === chosen);
  return (
    <>
      {data.missing.length > 0 && (
        <div className={s.notice}>
          <Notice look="inline" tone="warn" title={t.missing({ services: data.missing.join(', ') })} />
        </div>
      )}
      {data.entries.length === 0 ? (
        <EmptyState title={t.empty} level={2} />
      ) : (
        <div aria-busy={busy}>
          <Table
            dense
            className={s.table}
            caption={t.list}
            columns={columns.filter(({ key }) => !brief || !LEFT_OUT.includes(key))}
            rows={groupViews(data.entries)}
            rowKey={({ id }) => id}
          />
        </div>
      )}
      <Foot pages={pages} nextCursor={data.nextCursor} next={t.older}>
        {t.forGood}
      </Foot>
      {entry?.undo === 'open' && (
        <div className={s.panel}>
          <UndoPanel key={entry.id} entry={entry} onDone={() => finish(entry.id)} onClose={() => choose(null)} />
        </div>
      )}
    </>
  );
}

type Texts = TextsOf<typeof TEXTS>;
type ActTexts = TextsOf<typeof ACT_TEXTS>;

function useColumns(onUndo: (id: string) => void): Column<AuditEntry>[] {
  const t = useTexts(TEXTS);
  const acts = useTexts(ACT_TEXTS);
  const rules = useTexts(RULES_TEXTS);
  const { second } = useMoments();
  const changed = (entry: AuditEntry) => changedBy(t, rules, entry, (value) => factValue(acts, value));
  const wrapped = (text: string) => <span className="t-break">{text}</span>;
  return [
    { key: 'at', head: t.at, cell: ({ at }) => second(at) },
    { key: 'by', head: t.by, names: true, cell: ({ by }) => by ?? t.nobody },
    { key: 'act', head: t.act, cell: (entry) => <Act entry={entry} /> },
    { key: 'on', head: t.on, from: 768, cell: (entry) => wrapped(targetOf(entry)) },
    { key: 'before', head: t.before, from: 1024, cell: (entry) => wrapped(changed(entry).before ?? UNKNOWN) },
    {
      key: 'after',
      head: t.after,
      from: 1024,
      cell: (entry) => <strong>{wrapped(changed(entry).after ?? UNKNOWN)}</strong>,
    },
    { key: 'why', head: t.why, from: 1024, cell: (entry) => wrapped(whyOf(t, acts, entry)) },
    {
      key: 'request',
      head: t.request,
      align: 'right',
      from: 1024,
      cell: ({ requestId }) =>
        requestId === undefined ? (
          UNKNOWN
        ) : (
          <code className={s.code} title={requestId}>
            {requestId.slice(0, 4)}
          </code>
        ),
    },
    {
      key: 'undo',
      align: 'right',
      head: <VisuallyHidden>{t.undo}</VisuallyHidden>,
      cell: (entry) => <Undoing entry={entry} onUndo={onUndo} />,
    },
  ];
}

/** An act. On phones its target is shown below it. */
function Act({ entry }: { entry: AuditEntry }) {
  const acts = useTexts(ACT_TEXTS);
  const name = actName(acts, entry.action);
  return (
    <>
      {name === entry.action ? <code className={s.code}>{name}</code> : <span title={entry.action}>{name}</span>}
      <div className="l-below768 t-break">{targetOf(entry)}</div>
    </>
  );
}

function Undoing({ entry, onUndo }: { entry: AuditEntry; onUndo: (id: string) => void }) {
  const t = useTexts(TEXTS);
  const acts = useTexts(ACT_TEXTS);
  if (entry.undo === 'done') return <span>{t.undone}</span>;
  if (entry.undo !== 'open') return null;
  return (
    <LinkButton
      aria-label={t.undoOf({ act: actName(acts, entry.action), on: targetOf(entry) })}
      onClick={() => onUndo(entry.id)}
    >
      {t.undo}
    </LinkButton>
  );
}

const ID = /^[0-9a-f]{32,64}$/;

/** The target of an act: its name, or a long id shortened to what distinguishes it. */
function targetOf({ on, target }: AuditEntry): string {
  return on ?? (ID.test(target) ? shortId(target) : target);
}

/** The reason, or the other facts of the entry if there is none. */
function whyOf(
  t: Texts,
  acts: ActTexts,
  { detail: { reason, why, undoes, before: _b, after: _a, ...facts } }: AuditEntry,
): string {
  const given = [reason, why].find((one) => typeof one === 'string');
  const plain = Object.entries(facts).filter(
    ([, value]) => typeof value !== 'object' || (Array.isArray(value) && value.length > 0),
  );
  const shown = given ?? plain.map(([name, value]) => factText(acts, name, value)).join(', ');
  return undoes === undefined ? String(shown) : `${t.undoes} ${shown}`;
}

function UndoPanel({ entry, onDone, onClose }: { entry: AuditEntry; onDone: () => void; onClose: () => void }) {
  const t = useTexts(TEXTS);
  const acts = useTexts(ACT_TEXTS);
  const { show } = useToasts();
  const { second } = useMoments();
  const { press, isPending, error } = useUndo(entry, () => {
    show({ kind: 'success', title: t.did });
    onDone();
  });
  const doneAt = t.doneAt({ by: entry.by ?? t.nobody, at: second(entry.at) });
  return (
    <ConfirmPanel
      about={`undo-${entry.id}`}
      title={t.undoTitle({ act: actName(acts, entry.action), on: targetOf(entry) })}
      changes={[
        { what: t.doneBy, after: doneAt },
        { what: t.why, after: whyOf(t, acts, entry) || '–' },
        { what: t.since, after: t.fromNow },
      ]}
      note={t.undoNote}
      confirmText={t.undo}
      busyText={t.doing}
      busy={isPending}
      error={error}
      failedText={t.notDone}
      onClose={onClose}
      onConfirm={(reason) => press(reason)}
    />
  );
}
