import { type TabView, useTexts } from '@cord/sdk';
import { Badge, Card, type Column, Row, StatusDot, Table, UNKNOWN } from '@cord/ui';
import { linkTo } from '../room/follow';
import { useMoments } from '../room/moments';
import { authorOf, broughtBy, nowOf, shareOf } from './journal-lines';
import s from './modules.module.css';
import { TEXTS } from './texts';
import type { JournalLine, Published } from './use-modules';

interface LineTableProps {
  published: readonly Published[];
  /** Names of modules that are switched off. */
  off: ReadonlySet<string>;
  /** The one whose journal is shown. */
  chosen: string;
  view: TabView;
}

/** What is in use of each module and the shell, since when and by whom. */
export function LineTable({ published, off, chosen, view }: LineTableProps) {
  const t = useTexts(TEXTS);
  const { minute } = useMoments();
  const columns: Column<Published>[] = [
    {
      key: 'name',
      head: t.name,
      names: true,
      cell: ({ name }) => (
        <a className={s.name} {...linkTo(view, name)} aria-current={name === chosen || undefined}>
          <Breaking name={name} />
        </a>
      ),
    },
    { key: 'version', head: t.inUse, cell: (line) => <code className={s.version}>{nowOf(line).version}</code> },
    { key: 'since', head: t.since, from: 768, cell: (line) => textOf(line, ({ when }) => minute(when)) },
    { key: 'by', head: t.by, from: 1024, cell: (line) => textOf(line, (brought) => authorOf(t, brought)) },
    { key: 'state', head: t.state, cell: (line) => <State line={line} isOff={off.has(line.name)} /> },
  ];
  return (
    <Card title={t.lines} padding="none" aria-label={t.lines}>
      <Table
        dense
        className={s.table}
        caption={t.lines}
        columns={columns}
        rows={published}
        rowKey={({ name }) => name}
      />
    </Card>
  );
}

/** A name that breaks after its prefix where it has to. */
function Breaking({ name }: { name: string }) {
  const [, prefix = '', rest] = /^(mfe_)?(.*)$/.exec(name) ?? [];
  return (
    <>
      {prefix}
      <wbr />
      {rest}
    </>
  );
}

/** A fact of how a version came into use. */
function textOf(line: Published, fact: (brought: JournalLine) => string): string {
  const brought = broughtBy(line);
  return brought ? fact(brought) : UNKNOWN;
}

/** What is other than usual of a line; nothing hides behind a colour alone. */
export function State({ line, isOff }: { line: Published; isOff: boolean }) {
  const t = useTexts(TEXTS);
  const { frozen, canary } = nowOf(line);
  if (!isOff && !frozen && !canary) {
    return (
      <Row as="span" gap={6} align="center" inline className="t-small t-600 c-live t-line">
        <StatusDot tone="live" />
        {t.asUsual}
      </Row>
    );
  }
  return (
    <Row as="span" gap={8} wrap className="t-line">
      {isOff && <Badge tone="danger">{t.off}</Badge>}
      {frozen && <Badge tone="sky">{t.frozen}</Badge>}
      {canary && <Badge tone="warn">{t.canary({ share: shareOf(canary.share) })}</Badge>}
    </Row>
  );
}
