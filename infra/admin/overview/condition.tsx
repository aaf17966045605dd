import type { OperatorsOverview, StreamFill } from '@cord/contracts/http/overview';
import { useTexts } from '@cord/sdk';
import {
  Card,
  type Column,
  cx,
  formatCount,
  formatPercent,
  percentOf,
  Row,
  Skeleton,
  StatusDot,
  Table,
} from '@cord/ui';
import s from './overview.module.css';
import { TEXTS } from './texts';

/** @param props.services null if the gateway does not respond, undefined while loading */
export function Health({ services }: { services: Readonly<Record<string, string>> | null | undefined }) {
  const t = useTexts(TEXTS);
  const rows = Object.entries(services ?? {}).map(([name, state]) => ({ name, well: state === 'ok' }));
  const columns: Column<(typeof rows)[number]>[] = [
    { key: 'name', head: t.service, names: true, cell: ({ name }) => name },
    {
      key: 'state',
      head: t.state,
      cell: ({ well }) => (
        <Row as="span" inline gap={6} align="center" className={cx('t-600', well ? 'c-live' : 'c-danger')}>
          <StatusDot tone={well ? 'live' : 'danger'} />
          {well ? t.ready : t.down}
        </Row>
      ),
    },
  ];
  const well = rows.filter((row) => row.well).length;
  return (
    <Card
      title={t.health}
      aside={rows.length > 0 ? t.healthCount({ well: formatCount(well), all: formatCount(rows.length) }) : undefined}
      padding="none"
    >
      {services === undefined && <Skeleton height={252} />}
      {services === null && <p className={s.none}>{t.gatewayAway}</p>}
      {rows.length > 0 && <Table dense caption={t.health} columns={columns} rows={rows} rowKey={({ name }) => name} />}
    </Card>
  );
}

export function Streams({ streams }: { streams: readonly StreamFill[] }) {
  const t = useTexts(TEXTS);
  const columns: Column<StreamFill>[] = [
    { key: 'name', head: t.stream, names: true, cell: ({ name }) => name.replace(/^CORD_/, '').toLowerCase() },
    { key: 'messages', head: t.messages, align: 'right', cell: ({ messages }) => formatCount(messages) },
    {
      key: 'fill',
      head: t.fill,
      align: 'right',
      cell: ({ bytes, limitBytes }) => formatPercent(percentOf(bytes, limitBytes)),
    },
  ];
  return (
    <Card title={t.streams} padding="none">
      {streams.length === 0 ? (
        <p className={s.none}>{t.natsAway}</p>
      ) : (
        <Table dense caption={t.streams} columns={columns} rows={streams} rowKey={({ name }) => name} />
      )}
    </Card>
  );
}

type Fault = OperatorsOverview['clientErrors'][number];

/** Today's client errors, by module. */
export function Faults({ clientErrors }: Pick<OperatorsOverview, 'clientErrors'>) {
  const t = useTexts(TEXTS);
  const columns: Column<Fault>[] = [
    { key: 'module', head: t.module, names: true, cell: ({ module }) => module },
    { key: 'count', head: t.errors, align: 'right', cell: ({ count }) => formatCount(count) },
  ];
  return (
    <Card title={t.pageErrorsByModule} padding="none">
      {clientErrors.length === 0 ? (
        <p className={s.none}>{t.noErrors}</p>
      ) : (
        <Table
          dense
          caption={t.pageErrorsByModule}
          columns={columns}
          rows={clientErrors}
          rowKey={({ module }) => module}
        />
      )}
    </Card>
  );
}
