import * as checkinEndpoints from '@cord/contracts/addresses/checkin';
import * as miningEndpoints from '@cord/contracts/addresses/mining';
import type { ResponseOf } from '@cord/contracts/calls';
import type { MiningSession } from '@cord/contracts/http/mining';
import { CHECKIN_HISTORY_DEFAULT_DAYS } from '@cord/contracts/rules/timings';
import {
  formatDate,
  formatDayKey,
  formatTime,
  LIVE_CALM_MS,
  Loaded,
  useQuery,
  useSdk,
  useTexts,
  useUserId,
} from '@cord/sdk';
import {
  Button,
  formatDuration,
  formatPercent,
  type LedgerRow,
  LedgerRows,
  SettingRow,
  SkeletonRegion,
} from '@cord/ui';
import { Dialog } from '@cord/ui/overlays';
import { useState } from 'react';
import s from './history.module.css';
import { HISTORY_TEXTS } from './texts';

/** Number of sessions and days in the history. */
const SESSIONS = 10;

type Checkin = ResponseOf<typeof checkinEndpoints.history>[number];

/** Settings row that opens the last mining sessions and check-ins. */
export function History() {
  const t = useTexts(HISTORY_TEXTS);
  const [open, setOpen] = useState(false);
  return (
    <SettingRow title={t.history} help={t.historyHelp}>
      <Button onClick={() => setOpen(true)}>{t.view}</Button>
      <Dialog open={open} onOpenChange={setOpen} title={t.historyTitle} description={t.historyText} width={520}>
        <Sessions />
      </Dialog>
    </SettingRow>
  );
}

function Sessions() {
  const t = useTexts(HISTORY_TEXTS);
  const { api } = useSdk();
  const userId = useUserId() ?? '';
  const history = useQuery({
    queryKey: ['history', userId],
    meta: { live: { node: LIVE_CALM_MS } },
    queryFn: async ({ signal }) => {
      const [sessions, checkins] = await Promise.all([
        api.call(miningEndpoints.history, { params: { id: userId }, query: { limit: String(SESSIONS) }, signal }),
        api.call(checkinEndpoints.history, {
          params: { userId },
          query: { days: String(CHECKIN_HISTORY_DEFAULT_DAYS) },
          signal,
        }),
      ]);
      return { sessions, checkins };
    },
    staleTime: 0,
  });
  const loading = <SkeletonRegion label={t.historyTitle} heights={[160]} />;
  return (
    <Loaded query={history} failed={t.historyFailed} loading={loading}>
      {({ sessions, checkins }) => (
        <>
          <List title={t.sessions} none={t.noSessions} rows={sessions.map((session) => sessionRow(session))} />
          <List title={t.checkins} none={t.noCheckins} rows={checkins.map((checkin) => checkinRow(checkin))} />
        </>
      )}
    </Loaded>
  );
}

function List({ title, none, rows }: { title: string; none: string; rows: LedgerRow[] }) {
  return (
    <section className={s.list} aria-label={title}>
      <h3 className="t-600 t-break">{title}</h3>
      {rows.length === 0 ? <p className="t-note">{none}</p> : <LedgerRows rows={rows} />}
    </section>
  );
}

function sessionRow(session: MiningSession): LedgerRow {
  const t = HISTORY_TEXTS.get();
  const startMs = Date.parse(session.startedAt);
  const endMs = Date.parse(session.endedAt ?? session.creditedUntil);
  const state = session.status === 'active' ? `, ${t.runs}` : session.status === 'paused' ? `, ${t.paused}` : '';
  return {
    id: session.id,
    title: `${formatDate(startMs)}, ${formatTime(startMs)}${state}`,
    note: t.sessionNote({ length: formatDuration(endMs - startMs), efficiency: formatPercent(session.efficiency) }),
    amount: session.earnings,
  };
}

function checkinRow({ dayKey, rewardAmount, bonusAmount, streak }: Checkin): LedgerRow {
  return {
    id: dayKey,
    title: formatDayKey(dayKey),
    note: HISTORY_TEXTS.get().checkinNote({ streak }),
    amount: rewardAmount + bonusAmount,
  };
}
