import { SHELL_LINE } from '@cord/contracts/addresses/releases';
import { moduleSwitch } from '@cord/contracts/addresses/switches';
import { type TabView, useTexts } from '@cord/sdk';
import {
  Badge,
  Button,
  Card,
  type Column,
  CopyField,
  formatCount,
  Row,
  Stack,
  StatusDot,
  Table,
  UNKNOWN,
} from '@cord/ui';
import { type FactLine, Facts } from '../room/facts';
import { useMoments } from '../room/moments';
import { linkTo } from '../room/opened';
import { authorOf, introducedBy, nowOf, shareOf, shortName } from './journal';
import s from './modules.module.css';
import { TEXTS } from './texts';
import type { Act, JournalLine, Published } from './use-modules';

interface LineCardProps {
  line: Published;
  isOff: boolean;
  onAct: (act: Act) => void;
}

/** One module or the shell: its versions, and the acts that need no build. */
export function LineCard({ line, isOff, onAct }: LineCardProps) {
  const t = useTexts(TEXTS);
  const { name, sdk, ui, size, previous } = line;
  const { canary, frozen, version } = nowOf(line);
  const isShell = name === SHELL_LINE;
  const facts: FactLine[] = [
    [t.inUse, version],
    [isShell ? t.carries : t.wants, t.versions({ sdk, ui: ui ?? UNKNOWN })],
  ];
  if (size !== null) facts.push([t.size, t.kib({ size: formatCount(Math.round(size / 1_024)) })]);
  if (canary) facts.push([t.canaryIs, t.canaryOf({ version: canary.version, share: shareOf(canary.share) })]);
  const release =
    (act: Exclude<Act['act'], 'on' | 'off'>, to: string | null = null) =>
    () =>
      onAct({ act, name, version: to });
  return (
    <Card
      title={<span className="t-break">{name}</span>}
      aria-label={name}
      aside={<State line={line} isOff={isOff} />}
      className={s.stack}
    >
      <Facts facts={facts} />
      <Row gap={8} wrap>
        {canary && (
          <>
            <Button size="sm" needsServer disabled={frozen} disabledReason={t.frozenFirst} onClick={release('promote')}>
              {t.promote}
            </Button>
            <Button size="sm" needsServer onClick={release('end-canary')}>
              {t.endCanary}
            </Button>
          </>
        )}
        {previous !== null && (
          <Button size="sm" needsServer onClick={release('rollback', previous)}>
            {t.rollBack}
          </Button>
        )}
        <Button size="sm" needsServer onClick={release(frozen ? 'unfreeze' : 'freeze')}>
          {frozen ? t.unfreeze : t.freeze}
        </Button>
        {!isShell && (
          <Button
            size="sm"
            variant={isOff ? 'secondary' : 'outline'}
            needsServer
            onClick={() => onAct({ act: isOff ? 'on' : 'off', name: moduleSwitch(name) })}
          >
            {isOff ? t.switchOn : t.switchOff}
          </Button>
        )}
      </Row>
      <Stack gap={8}>
        <p className="t-note">{t.publishHow}</p>
        <CopyField label={t.command} value={t.publish({ name: shortName(name) })} command />
      </Stack>
    </Card>
  );
}

interface LineTableProps {
  published: readonly Published[];
  /** Names of modules that are switched off. */
  off: ReadonlySet<string>;
  /** The module whose journal is shown. */
  chosen: string;
  view: TabView;
}

/** The version in use of each module and the shell, since when and by whom. */
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

/** A name that may wrap after its prefix. */
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

/** A fact of the journal line that put the version into use. */
function textOf(line: Published, fact: (brought: JournalLine) => string): string {
  const brought = introducedBy(line);
  return brought ? fact(brought) : UNKNOWN;
}

/** Unusual states of a module as text, so that none is shown by colour alone. */
function State({ line, isOff }: { line: Published; isOff: boolean }) {
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
