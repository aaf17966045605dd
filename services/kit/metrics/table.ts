/*
 * Every figure that our processes report at /metrics: its name, unit, labels and meaning. All are created from this table
 * when the process starts, so that alert rules and charts can be checked against it.
 */

import { PROCESS_METRICS } from './process.js';

type Type = 'counter' | 'gauge' | 'histogram';
type Unit =
  | 'seconds'
  | 'bytes'
  | 'CORD'
  | 'micro-CORD'
  | 'requests'
  | 'messages'
  | 'documents'
  | 'times'
  | 'users'
  | 'files'
  | 'streams'
  | '1';
/** Processes that report it: every process, every service, or those named. */
type Of = 'all' | 'services' | readonly string[];

export interface MetricDefinition {
  type: Type;
  /** Unit of the value; the name ends with it where Prometheus expects that. */
  unit: Unit;
  labels: readonly string[];
  of: Of;
  help: string;
  /** Upper bounds of the histogram's buckets. */
  buckets?: readonly number[];
}

const ANSWER_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const STEP_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5];
const VISIBLE_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
const CORD = [0.000001, 0.0001, 0.01, 0.1, 1, 10, 100, 10_000];

/** Builds one type of figure, so that each takes one line below. */
const counter = <const L extends readonly string[]>(of: Of, unit: Unit, labels: L, help: string) => ({
  type: 'counter' as const,
  of,
  unit,
  labels,
  help,
});
const gauge = <const L extends readonly string[]>(of: Of, unit: Unit, labels: L, help: string) => ({
  type: 'gauge' as const,
  of,
  unit,
  labels,
  help,
});
const histogram = <const L extends readonly string[]>(
  of: Of,
  unit: Unit,
  labels: L,
  buckets: readonly number[],
  help: string,
) => ({ type: 'histogram' as const, of, unit, labels, buckets, help });

export const METRICS = {
  cord_build_info: gauge('all', '1', ['version', 'node'], 'Release and Node.js version of this process; always 1'),
  http_server_request_duration_seconds: histogram(
    'all',
    'seconds',
    ['method', 'route', 'status'],
    ANSWER_SECONDS,
    'Time to the end of a response; route is the endpoint, at the gateway the service or the kind of file',
  ),
  cord_gateway_routes_refused: gauge(
    ['gateway'],
    '1',
    ['path', 'refused', 'owner'],
    'Paths that one service declares but another one owns. Calls go to the owner. Always 1',
  ),
  cord_gateway_files_changed: gauge(
    ['gateway'],
    'files',
    ['module', 'version'],
    'Requested files that were changed in the store after publishing. They are not served',
  ),
  cord_gateway_streams: gauge(['gateway'], 'streams', [], 'Live streams that pass through now'),
  cord_client_errors_total: counter(
    ['gateway'],
    'times',
    ['module', 'version'],
    'Errors reported by browsers, by published release; any other release is `other`',
  ),
  cord_client_visits_total: counter(
    ['gateway'],
    'times',
    ['module', 'version'],
    'Times that browsers showed a module, by published release',
  ),

  cord_rate_limited_total: counter(
    'all',
    'requests',
    ['class'],
    'Requests refused with 429, by class of limit; class badToken by the gateway',
  ),
  cord_rpc_duration_seconds: histogram(
    'services',
    'seconds',
    ['subject', 'outcome'],
    STEP_SECONDS,
    'Requests to other services over NATS, by outcome',
  ),
  cord_clock_off_seconds: gauge(
    'services',
    'seconds',
    ['from'],
    'Clock of this process ahead of another clock, or behind it (below 0)',
  ),
  cord_certificate_left_seconds: gauge(
    'services',
    'seconds',
    ['from'],
    'Time until the certificate of NATS or of the store, or its authority, expires; absent without TLS',
  ),
  cord_store_duration_seconds: histogram(
    'services',
    'seconds',
    ['outcome'],
    STEP_SECONDS,
    'Operations on the document store by connection: done, or unavailable without a connection',
  ),
  cord_switch_off: gauge('services', '1', ['switch'], 'Kill switches that are off as seen by this replica; always 1'),
  cord_lease_held: gauge('services', '1', ['lease'], 'Leases that this replica holds; always 1'),
  cord_periodic_seconds: histogram(
    'services',
    'seconds',
    ['name', 'outcome'],
    STEP_SECONDS,
    'Runs of periodic work, done or failed',
  ),
  cord_outbox_oldest_seconds: gauge(
    'services',
    'seconds',
    ['outbox'],
    'Age of the oldest unpublished event or open credit; 0 when none waits',
  ),
  cord_outbox_parked_documents: gauge(
    'services',
    'documents',
    ['outbox'],
    'Documents with credits that the ledger refused permanently',
  ),
  cord_stream_bytes: gauge('services', 'bytes', ['stream'], 'Bytes in a stream that this service owns'),
  cord_stream_limit_bytes: gauge('services', 'bytes', ['stream'], 'Maximum bytes in the stream'),
  cord_consumer_pending_messages: gauge(
    'services',
    'messages',
    ['stream'],
    'Messages not yet delivered to this service',
  ),
  cord_consumer_ahead_messages: gauge(
    'services',
    'messages',
    ['stream'],
    'Messages that this service will not get: its position is beyond the end of a stream that lost messages',
  ),
  cord_dead_letters_total: counter(
    'services',
    'messages',
    ['stream'],
    'Messages that became dead letters; npx cord dead-letters lists them',
  ),

  cord_sign_ins_total: counter(['auth'], 'times', ['outcome'], 'Sign-ins by outcome: ok, or the auth_error'),

  cord_audit_drift_micro: gauge(
    ['mining'],
    'micro-CORD',
    [],
    'Difference between balances and entries in the last audit; absent before the first',
  ),
  cord_audit_age_seconds: gauge(['mining'], 'seconds', [], 'Time since the last audit; absent before the first'),
  cord_backup_age_seconds: gauge(
    ['mining'],
    'seconds',
    [],
    'Age of the data in the last backup; absent before the first',
  ),
  cord_root_age_seconds: gauge(
    ['mining'],
    'seconds',
    [],
    'Time since the end of the day of the last signed root; absent before the first',
  ),
  cord_memo_age_seconds: gauge(
    ['mining'],
    'seconds',
    [],
    'Time since the end of the day of the last root with a checkpoint on Solana; absent without memos',
  ),
  cord_ledger_refused_total: counter(
    ['mining'],
    'times',
    ['caller', 'source', 'reason'],
    'Credits refused by a rule that honest callers never break',
  ),
  cord_ledger_mismatches_total: counter(
    ['mining'],
    'times',
    [],
    'Served proofs whose account does not match the root of the day',
  ),
  cord_ledger_conflicts_total: counter(['mining'], 'times', [], 'Compare-and-sets lost to another replica'),
  cord_client_claimed_over_cord: histogram(
    ['mining'],
    'CORD',
    ['call'],
    CORD,
    'CORD that clients claimed above what was credited',
  ),
  cord_client_claimed_under_cord: histogram(
    ['mining'],
    'CORD',
    ['call'],
    CORD,
    'CORD credited above what clients claimed',
  ),

  cord_badge_payments_total: counter(['rewards'], 'times', ['outcome'], 'Payments decided'),
  cord_refunds_disproved_total: counter(
    ['rewards'],
    'times',
    [],
    'Return transactions of refunds that do not return the payment; each such refund is open again',
  ),
  cord_wallet_network_duration_seconds: histogram(
    ['rewards'],
    'seconds',
    ['who', 'outcome'],
    STEP_SECONDS,
    'Calls to the wallet network (JSON-RPC), for payments or pages: answered, or away without a complete response in time',
  ),

  cord_nodes_active: gauge(['leaderboard'], 'users', [], 'Nodes that earn now. Each replica reports the same value'),
  cord_board_users: gauge(['leaderboard'], 'users', [], 'Users in the board of this replica'),
  cord_board_snapshot_age_seconds: gauge(
    ['leaderboard'],
    'seconds',
    [],
    'Time since the board was last stored; an unchanged board is not stored again',
  ),
  cord_credit_visible_seconds: histogram(
    ['leaderboard'],
    'seconds',
    [],
    VISIBLE_SECONDS,
    'From a credit in the ledger until this replica shows it, without mining and without what a start reads',
  ),

  cord_streams: gauge(['notices'], 'streams', [], 'Open live streams'),
  cord_streams_users: gauge(['notices'], 'users', [], 'Users with a live stream'),
  cord_streams_ended_total: counter(['notices'], 'times', ['why'], 'Live streams ended by this replica'),
  cord_pushes_total: counter(['notices'], 'messages', ['outcome'], 'Pushes to devices, by outcome'),
} satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof METRICS;
/** Names of the figures of one type. */
export type NameOf<T extends Type> = {
  [N in MetricName]: (typeof METRICS)[N]['type'] extends T ? N : never;
}[MetricName];
export type LabelOf<N extends MetricName> = (typeof METRICS)[N]['labels'][number];

/** Returns the sorted names at a process's /metrics: its part of the table, and the process figures. */
export function namesAtMetrics(process: string, { processFigures = true } = {}): string[] {
  return [...metricsOf(process).map(([name]) => name), ...(processFigures ? PROCESS_METRICS : [])].sort();
}

/** Returns the figures of a process, by name. */
export function metricsOf(process: string): [MetricName, MetricDefinition][] {
  const shows = (of: Of) => of === 'all' || (of === 'services' ? process !== 'gateway' : of.includes(process));
  return (Object.entries(METRICS) as [MetricName, MetricDefinition][]).filter(([, { of }]) => shows(of));
}
