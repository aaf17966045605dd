/** A test case of the rules with invented metrics. */
interface Case {
  name: string;
  /** time of evaluation after the first value */
  at: string;
  /** values by series, one per minute, in promtool's notation: `0+60x400` is 0, then 400 increments of 60 */
  series: Record<string, string>;
  /** all firing alerts: `alert severity`, with burn rate and objective if any */
  fires: string[];
}

const gateway = { 'cord_build_info{version="1.0.0",service="gateway"}': '1+0x420' };
/** A gateway, with a backup and an audit one hour old: without them GatewayGone, BackupOld and AuditOld fire too. */
const backedUp = { ...gateway, 'cord_backup_age_seconds{service="mining"}': '3600+0x420' };
const audited = { ...backedUp, 'cord_audit_age_seconds{service="mining"}': '3600+0x400' };
const savesOf = (status: number) =>
  `http_server_request_duration_seconds_count{service="gateway",route="mining",method="POST",status="${status}"}`;

/** Makes the case of a cause alert that fires within half an hour of these values, and all other alerts they fire. */
const firing = (alerts: string | string[], series: Case['series']): Case => {
  const fires = [alerts].flat();
  return { name: fires[0]?.split(' ')[0] ?? '', at: '30m', series: { ...audited, ...series }, fires };
};

/** Each alert fires in one of the cases; the first case is a healthy system. */
export const CASES: Case[] = [
  {
    name: 'nothing fires while all is well, nor for what people decide themselves',
    at: '6h',
    series: {
      ...audited,
      [savesOf(200)]: '0+600x400',
      'http_server_request_duration_seconds_count{service="gateway",route="auth",method="GET",status="200"}':
        '0+600x400',
      'cord_sign_ins_total{outcome="ok"}': '0+60x400',
      'cord_sign_ins_total{outcome="denied"}': '0+600x400',
      'cord_credit_visible_seconds_count{}': '0+60x400',
      'cord_credit_visible_seconds_bucket{le="5"}': '0+60x400',
      'cord_credit_visible_seconds_bucket{le="+Inf"}': '0+60x400',
      'up{job="cord",service="mining",instance="a"}': '1+0x400',
      'cord_audit_drift_micro{service="mining"}': '0+0x400',
      'cord_ledger_refused_total{service="mining",caller="tasks",source="task",reason="key-not-allowed"}': '0+0x400',
      'cord_certificate_left_seconds{service="mining",from="store"}': '7000000-60x400',
      'cord_clock_off_seconds{service="mining",instance="a",from="store"}': '0+0x400',
      'cord_outbox_oldest_seconds{service="mining",outbox="accounts"}': '0+0x400',
      'cord_stream_bytes{stream="S"}': '10+0x400',
      'cord_stream_limit_bytes{stream="S"}': '100+0x400',
      'cord_lease_held{service="auth",lease="a",instance="x"}': '1+0x400',
      'cord_build_info{version="1.0.0",service="auth"}': '1+0x400',
      'cord_store_duration_seconds_bucket{service="auth",outcome="done",le="0.005"}': '0+60x400',
      'cord_store_duration_seconds_bucket{service="auth",outcome="done",le="+Inf"}': '0+60x400',
      'cord_rate_limited_total{class="read"}': '0+1x400',
      'cord_board_snapshot_age_seconds{service="leaderboard"}': '300+0x400',
      'cord_client_visits_total{module="shell",version="1"}': '0+60x400',
      'cord_client_errors_total{module="shell",version="1"}': '0+1x400',
    },
    fires: [],
  },
  {
    name: 'two saves of a hundred refused page at once',
    at: '1h30m',
    series: { ...audited, [savesOf(200)]: '0+980x100', [savesOf(503)]: '0+20x100' },
    fires: [
      'BudgetBurns page fast SaveErrors',
      'BudgetBurns page steady SaveErrors',
      'BudgetBurns ticket slow SaveErrors',
    ],
  },
  {
    name: 'one save of a hundred refused pages too, as it goes on',
    at: '6h30m',
    series: { ...audited, [savesOf(200)]: '0+990x420', [savesOf(503)]: '0+10x420' },
    fires: ['BudgetBurns page steady SaveErrors', 'BudgetBurns ticket slow SaveErrors'],
  },
  {
    name: 'one save of five hundred refused is for a working day',
    at: '6h30m',
    series: { ...audited, [savesOf(200)]: '0+998x420', [savesOf(503)]: '0+2x420' },
    fires: ['BudgetBurns ticket slow SaveErrors'],
  },
  {
    name: 'what is over pages no more, and is sent once',
    at: '2h',
    series: { ...audited, [savesOf(200)]: '0+800x10 9000+1000x200', [savesOf(503)]: '0+200x10 2000+0x200' },
    fires: ['BudgetBurns ticket slow SaveErrors'],
  },
  {
    name: 'reads of one service refused page',
    at: '1h30m',
    series: {
      ...audited,
      'http_server_request_duration_seconds_count{service="gateway",route="tasks",method="GET",status="200"}':
        '0+850x100',
      'http_server_request_duration_seconds_count{service="gateway",route="tasks",method="GET",status="500"}':
        '0+150x100',
    },
    fires: [
      'BudgetBurns page fast ReadErrors',
      'BudgetBurns page steady ReadErrors',
      'BudgetBurns ticket slow ReadErrors',
    ],
  },
  {
    name: 'every second sign-in failing for our reason pages',
    at: '1h30m',
    series: {
      ...audited,
      'cord_sign_ins_total{outcome="ok"}': '0+30x100',
      'cord_sign_ins_total{outcome="unreachable"}': '0+30x100',
    },
    fires: [
      'BudgetBurns page fast SignInErrors',
      'BudgetBurns page steady SignInErrors',
      'BudgetBurns ticket slow SignInErrors',
    ],
  },
  {
    name: 'every third credit shown late pages',
    at: '1h30m',
    series: {
      ...audited,
      'cord_credit_visible_seconds_count{}': '0+60x100',
      'cord_credit_visible_seconds_bucket{le="5"}': '0+40x100',
      'cord_credit_visible_seconds_bucket{le="+Inf"}': '0+60x100',
    },
    fires: [
      'BudgetBurns page fast CreditsLate',
      'BudgetBurns page steady CreditsLate',
      'BudgetBurns ticket slow CreditsLate',
    ],
  },
  firing('LedgerDrift page', { 'cord_audit_drift_micro{service="mining"}': '-3+0x60' }),
  firing('ProcessDown page', { 'up{job="cord",service="tasks",instance="a"}': '0+0x60' }),
  firing('OutboxStuck page', { 'cord_outbox_oldest_seconds{service="tasks",outbox="records"}': '0+60x60' }),
  firing('CreditsParked ticket', { 'cord_outbox_parked_documents{service="tasks",outbox="records"}': '1+0x60' }),
  firing('StreamFilling ticket', {
    'cord_stream_bytes{stream="CORD_NODES"}': '85+0x60',
    'cord_stream_limit_bytes{stream="CORD_NODES"}': '100+0x60',
  }),
  firing(['StreamFull page', 'StreamFilling ticket'], {
    'cord_stream_bytes{stream="CORD_NODES"}': '96+0x60',
    'cord_stream_limit_bytes{stream="CORD_NODES"}': '100+0x60',
  }),
  firing('ConsumerBehind ticket', {
    'cord_consumer_pending_messages{service="tasks",stream="CORD_USERS"}': '20000+0x60',
  }),
  firing('ConsumerAhead page', {
    'cord_consumer_ahead_messages{service="tasks",stream="CORD_USERS"}': '120+0x60',
  }),
  firing('CreditsOutOfRule page', {
    'cord_ledger_refused_total{service="mining",caller="tasks",source="task",reason="key-not-allowed"}':
      '0+0x20 1+0x40',
  }),
  firing('LedgerMismatch page', { 'cord_ledger_mismatches_total{service="mining"}': '0+0x20 1+0x40' }),
  firing('RefundDisproved ticket', { 'cord_refunds_disproved_total{service="rewards"}': '0+0x20 1+0x40' }),
  firing('ClockOff page', { 'cord_clock_off_seconds{service="mining",instance="a",from="store"}': '0+0x10 -7+0x40' }),
  firing('CertificateEnds ticket', { 'cord_certificate_left_seconds{service="mining",from="nats"}': '2592600-60x60' }),
  firing('DeadLetters ticket', { 'cord_dead_letters_total{service="tasks",stream="CORD_USERS"}': '0+0x20 1+0x40' }),
  firing('StoreUnavailable page', {
    'cord_store_duration_seconds_count{service="tasks",outcome="unavailable"}': '0+60x60',
  }),
  firing('StoreSlow ticket', {
    'cord_store_duration_seconds_bucket{service="tasks",outcome="done",le="0.5"}': '0+50x60',
    'cord_store_duration_seconds_bucket{service="tasks",outcome="done",le="1"}': '0+60x60',
    'cord_store_duration_seconds_bucket{service="tasks",outcome="done",le="+Inf"}': '0+60x60',
  }),
  firing('RequestsUnanswered ticket', {
    'cord_rpc_duration_seconds_count{service="tasks",subject="cord.rpc.v1.export.auth",outcome="unavailable"}':
      '0+30x60',
  }),
  firing('PeriodicWorkFailing ticket', {
    'cord_periodic_seconds_count{service="tasks",name="sweep",outcome="failed"}': '0+1x60',
  }),
  // A run every five minutes.
  firing('PeriodicWorkFailing ticket', {
    'cord_periodic_seconds_count{service="mining",name="witnesses",outcome="failed"}':
      '0x4 1x4 2x4 3x4 4x4 5x4 6x4 7x4 8x4',
  }),
  {
    name: 'work that runs once an hour and fails each time',
    at: '6h',
    series: {
      ...audited,
      'cord_periodic_seconds_count{service="auth",name="audit.retention",outcome="failed"}':
        '0x59 1x59 2x59 3x59 4x59 5x59 6x59',
    },
    fires: ['PeriodicWorkFailing ticket'],
  },
  {
    name: 'work that failed two hours ago and has run since',
    at: '6h',
    series: {
      ...audited,
      'cord_periodic_seconds_count{service="tasks",name="sweep",outcome="failed"}': '0+1x239 239x180',
    },
    fires: [],
  },
  firing('LeaseHeldTwice page', {
    'cord_lease_held{service="referrals",lease="commission",instance="a"}': '1+0x60',
    'cord_lease_held{service="referrals",lease="commission",instance="b"}': '1+0x60',
  }),
  firing('EventLoopBlocked ticket', { 'nodejs_eventloop_lag_p99_seconds{service="tasks",instance="a"}': '2+0x60' }),
  firing('FilesRunningOut ticket', {
    'process_open_fds{service="gateway",instance="a"}': '900+0x60',
    'process_max_fds{service="gateway",instance="a"}': '1000+0x60',
  }),
  firing('ManyRefused ticket', {
    'cord_rate_limited_total{class="read"}': '0+10x60',
    'http_server_request_duration_seconds_count{service="gateway",route="page",method="GET",status="200"}': '0+100x60',
  }),
  firing('ClientErrors ticket', {
    'cord_client_errors_total{module="mfe_tasks",version="2"}': '0+10x60',
    'cord_client_visits_total{module="mfe_tasks",version="2"}': '0+100x60',
  }),
  {
    name: 'a shell that fails before any module counts no visit',
    at: '1h',
    series: { ...audited, 'cord_client_errors_total{module="shell",version="2"}': '0+10x60' },
    fires: ['ClientErrors ticket'],
  },
  firing('SnapshotOld ticket', {
    'cord_board_snapshot_age_seconds{service="leaderboard"}': '4000+60x60',
    'cord_credit_visible_seconds_count{}': '0+60x60',
    'cord_credit_visible_seconds_bucket{le="5"}': '0+60x60',
  }),
  {
    name: 'AuditOld',
    at: '2h',
    series: { ...backedUp, 'cord_audit_age_seconds{service="mining"}': '100000+60x130' },
    fires: ['AuditOld ticket'],
  },
  {
    name: 'BackupOld',
    at: '2h',
    series: { ...audited, 'cord_backup_age_seconds{service="mining"}': '100000+60x130' },
    fires: ['BackupOld ticket'],
  },
  {
    name: 'AuditOld and BackupOld, where there never was one',
    at: '2h',
    series: { ...gateway, 'up{job="cord",service="mining",instance="a"}': '1+0x130' },
    fires: ['AuditOld ticket', 'BackupOld ticket'],
  },
  {
    name: 'GatewayGone, where the last of them has left and nothing is measured any more',
    at: '30m',
    series: { ...audited, 'cord_build_info{version="1.0.0",service="gateway"}': '1+0x20 stale' },
    fires: ['GatewayGone page'],
  },
  {
    name: 'MemoLate',
    at: '1h',
    series: { ...audited, 'cord_memo_age_seconds{service="mining"}': '174000+60x130' },
    fires: ['MemoLate ticket'],
  },
  {
    name: 'MemoLate, not within a day of the root',
    at: '30m',
    series: { ...audited, 'cord_memo_age_seconds{service="mining"}': '174000+60x130' },
    fires: [],
  },
  {
    name: 'RootLate',
    at: '1h',
    series: { ...audited, 'cord_root_age_seconds{service="mining"}': '88000+60x130' },
    fires: ['RootLate ticket'],
  },
  {
    name: 'RootLate, not before it is an hour late',
    at: '30m',
    series: { ...audited, 'cord_root_age_seconds{service="mining"}': '88000+60x130' },
    fires: [],
  },
  firing('RoutesRefused ticket', { 'cord_gateway_routes_refused{path="/x",refused="tasks",owner="auth"}': '1+0x60' }),
  firing('FilesChanged page', { 'cord_gateway_files_changed{module="mfe_tasks",version="2"}': '1+0x60' }),
  {
    name: 'TwoReleases',
    at: '6h30m',
    series: {
      'cord_build_info{version="1.0.0",service="a"}': '1+0x420',
      'cord_build_info{version="1.1.0",service="b"}': '1+0x420',
      ...backedUp,
      'cord_audit_age_seconds{service="mining"}': '3600+0x420',
    },
    fires: ['TwoReleases ticket'],
  },
  firing('PaymentsRefused ticket', {
    'cord_badge_payments_total{service="rewards",outcome="paid-twice"}': '0+0x10 1+0x50',
  }),
];
