/*
 * Bounds of every loop, queue, retry, cache and wait in the kit.
 * Limits that callers of the API meet (body size, rates) are in @cord/contracts/limits.
 */

/** NATS: first connection and reconnection. */
export const NATS_CONNECT_TIMEOUT_MS = 5_000;
export const NATS_RETRY_MS_MAX = 5_000;
export const NATS_RECONNECT_WAIT_MS = 250;
/** A server with this many unanswered pings counts as lost, after 6 s; servers detect lost clients alike (infra/dev/starter/nats.ts). */
export const NATS_PING_INTERVAL_MS = 2_000;
export const NATS_PINGS_OUT_MAX = 2;
export const NATS_DRAIN_MS_MAX = 3_000;
/** Maximum message size when the server announces none: NATS's default. */
export const NATS_PAYLOAD_BYTES_MAX = 1024 * 1024;

/** Interval at which a waiting service checks for its streams, ms. */
export const TOPOLOGY_LOOK_MS = 500;

/** Maximum wait for a stream's acknowledgement of a publish, ms. */
export const PUBLISH_TIMEOUT_MS = 5_000;
/** Maximum subjects whose last state's position a process remembers; for others it reads the state before it publishes. */
export const STATE_PLACES_MAX = 50_000;
/** Maximum concurrent publishes of the same subject by others before a publish gives up for now. */
export const STATE_TRIES_MAX = 8;
/** Maximum wait for another service's last state, ms (services/README.md#who-owns-what). */
export const STATE_READ_MS = 200;

/** Republishing all state: documents per read, events in flight, and the lease of one replica, ms. */
export const REPUBLISH_BATCH = 256;
export const REPUBLISH_IN_FLIGHT_MAX = 32;
export const REPUBLISH_LEASE_MS = 60_000;
/** Interval at which an owner checks whether its streams are the known ones, ms. */
export const REPUBLISH_LOOK_EVERY_MS = 60_000;
/** How long published events can be published again to a restarted NATS server, ms: by default it syncs to disk every two minutes. */
export const REPUBLISH_RECENT_MS = 300_000;
/** Minimum interval between records of published events, for all documents of a process, ms. */
export const RECENT_WRITE_EVERY_MS = 20;

/** Requests between services. */
export const RPC_TIMEOUT_MS = 2_000;
export const RPC_IN_FLIGHT_MAX = 1_024;
/** Maximum registrations that a process requests from auth at once. */
export const REGISTRATIONS_IN_FLIGHT_MAX = 64;
/** Interval at which a replica checks whether it yields to the others, ms. */
export const YIELD_LOOK_MS = 500;

/** Rule books: read interval from the ledger, and maximum age for payments, below RULES_AHEAD_MS_LEAST, ms. */
export const RULES_READ_EVERY_MS = 60_000;
export const RULES_AGE_MS_MAX = 1_800_000;

/** Durable consumers. */
export const CONSUMER_ACK_WAIT_MS = 30_000;
/**
 * Lifetime of one pull request, ms. A cluster does not see across accounts that a reader has stopped: messages sent to its open
 * request are redelivered after the ack wait (a single server notices at once).
 */
export const CONSUMER_PULL_MS = 3_000;
export const CONSUMER_ACK_PENDING_MAX = 1_024;
/** Messages that a consumer handles at once; those of one user are handled in sequence. */
export const CONSUMER_CONCURRENCY = 16;
/** Messages prefetched; each waits for at most a few handlers, well below the ack wait. */
export const CONSUMER_PREFETCH = 128;
export const CONSUMER_WORKING_EVERY_MS = 10_000;
/** Wait before delivery n + 1 after a failed handler, ms; the last one repeats. */
export const CONSUMER_BACKOFF_MS: readonly number[] = [500, 1_000, 2_000, 5_000, 15_000, 30_000, 60_000];
/** Pause before a broken consumer is resumed, ms. */
export const CONSUMER_RESUME_MS = 1_000;
/** Heartbeat interval of a stream that is read as a whole, ms. */
export const ORDERED_HEARTBEAT_MS = 5_000;
/** Overlap before the last message when reading from another or a restarted server, ms: twice CLOCK_OFF_MS_MAX. */
export const ORDERED_OVERLAP_MS = 10_000;
/** Time after which the server drops the consumer of a reader that is gone, ms. */
export const READER_INACTIVE_MS = 300_000;
/** While the store is away a message is retried in place at this interval without counting as tried; after the maximum it is given back, ms. */
export const CONSUMER_STORE_WAIT_MS = 1_000;
export const CONSUMER_STORE_WAIT_MS_MAX = 300_000;
/**
 * Maximum deliveries of a message, including those where its process stopped or waited for the store: a message that ends the process each
 * time becomes a dead letter after some two hours of ack waits. A store outage of a day needs no more.
 */
export const CONSUMER_DELIVERIES_MAX = 256;
/** Maximum 503 failures of a message's handler: some fifty minutes with the waits above. */
export const CONSUMER_BUSY_MAX = 64;
export const DEAD_LETTER_PAYLOAD_CHARS_MAX = 256 * 1024;
export const DEAD_LETTERS_LISTED_MAX = 1_000;
export const DEAD_LETTERS_READ_MS_MAX = 5_000;

/** Rights: messages and requests to auth (services/README.md#sign-in-and-rights). */
export const RIGHTS_HEARTBEAT_MS = 1_000;
export const RIGHTS_REQUEST_TIMEOUT_MS = 1_000;
export const RIGHTS_RETRY_MS = 500;
/** Minimum gap between full reads triggered by messages, and maximum gap without any, ms. */
export const RIGHTS_WHOLE_GAP_MS = 1_000;
export const RIGHTS_WHOLE_EVERY_MS = 600_000;
/** Interval at which the few signing keys are requested even without a message, ms: a withdrawn key stays withdrawn although its message was lost. */
export const RIGHTS_KEYS_EVERY_MS = 10_000;
/** A slow full read may take at most 1/60 of the time. */
export const RIGHTS_WHOLE_SHARE = 60;
/**
 * Pages of a full read; entries per page (some 90 bytes each, in a message of one megabyte) and ended sessions per page (22 bytes
 * each). RIGHTS_HELD_MAX bounds memory: some 200 bytes per entry and 32 to 64 per ended session.
 */
export const RIGHTS_PAGES_MAX = 1_000;
export const RIGHTS_PAGE_ENTRIES = 4_000;
export const RIGHTS_PAGE_ENDED = 16_000;
/** How long a page waits for further requesters of the same page, ms. */
export const RIGHTS_PAGE_GATHER_MS = 20;
export const RIGHTS_HELD_MAX = 4_000_000;
/** Timeout of a page while every service reads a million at once, ms, and maximum requests of one page. */
export const RIGHTS_PAGE_TIMEOUT_MS = 5_000;
export const RIGHTS_PAGE_TRIES_MAX = 5;
/** Maximum replicas of auth remembered, past ones included. */
export const RIGHTS_SOURCES_MAX = 256;
/** A replica of auth that is silent for this long may have ended between storing a change and announcing it, ms. */
export const RIGHTS_SILENT_MS = 5_000;
/** Writes are refused once the copy of the rights is older than this, ms. */
export const RIGHTS_STALE_MS = 30_000;

/** The gateway's token that identifies the caller to a service: its lifetime, and the tolerated clock difference of two machines, ms. */
export const CALLER_LIFETIME_MS = 60_000;
export const CALLER_TOLERANCE_MS = 5_000;
export const CALLER_TOKENS_KEPT_MAX = 50_000;

/** Session check. */
export const SESSION_CACHE_MAX = 50_000;
/** Maximum wait of the gateway for a change that auth made in a call to hold for the next call, ms. */
export const SESSION_SETTLE_MS_MAX = 500;
export const SESSION_TOKEN_CHARS_MAX = 4_096;
/** Maximum unknown tokens from addresses over their bad-token budget that wait for a signature check, one at a time. */
export const SPENT_TOKENS_WAITING_MAX = 64;
/** Minimum interval between requests for an unknown kid, ms. */
export const UNKNOWN_KEY_REFETCH_MS = 30_000;

/** Document store. */
export const STORE_SELECTION_TIMEOUT_MS = 5_000;
export const STORE_SOCKET_TIMEOUT_MS = 20_000;
export const STORE_CONNECT_TIMEOUT_MS = 5_000;
export const STORE_HEARTBEAT_MS = 2_000;
export const STORE_POOL_MAX = 64;
/** Interval of comparing the process clock with the store's and NATS's, and the offset beyond which it takes no writes, ms. */
export const CLOCK_LOOK_EVERY_MS = 5_000;
export const CLOCK_OFF_MS_MAX = 5_000;
/** A response that took longer proves nothing, because the clock may be off by that much, ms. */
export const CLOCK_ANSWER_MS_MAX = 60_000;
/** Maximum wait for NATS to return its time, ms. */
export const CLOCK_READ_MS_MAX = 2_000;
/** Tolerated lag of a local-mode clock behind the shared one, ms: a service follows shortly after the file is written. */
export const DEV_CLOCK_BEHIND_MS_MAX = 30_000;
export const STORE_RETRY_MS_MAX = 5_000;
export const STORE_PING_TIMEOUT_MS = 2_000;
/**
 * A stuck driver ends its process. It is checked every STORE_HEARTBEAT_MS: 20 s without a request to a server, where a heartbeat ends
 * within 12 s (pause, connect, handshake); 60 s with one command, where a socket times out after 20 s.
 */
export const STORE_SILENT_LOOKS_MAX = 10;
export const STORE_HELD_LOOKS_MAX = 30;

/** Lost races before a compare-and-set gives up; each one means that another change was written. */
export const CHANGE_TRIES_MAX = 64;

/** Presence: report interval, short compared with the five minutes that count, and maximum users held until then. */
export const PRESENCE_REPORT_EVERY_MS = 10_000;
export const PRESENCE_SEEN_MAX = 100_000;

/** Periodic work: maximum delay of the first run after a start, ms, and the share by which pauses vary. */
export const PERIODIC_FIRST_MS_MAX = 1_000;
export const PERIODIC_JITTER = 0.1;

/** Replicas that share a service's users announce themselves every REPLICA_BEAT_MS; one that is silent for REPLICA_GONE_MS is gone. */
export const REPLICA_BEAT_MS = 1_000;
export const REPLICA_GONE_MS = 3_500;

/** Outbox (services/mining/ledger/README.md#outbox-and-relay). */
export const OUTBOX_ITEMS_MAX = 64;
/** Maximum time for which events may be left to a document's next write, ms. */
export const OUTBOX_AHEAD_MS_MAX = 60_000;
export const RELAY_IN_FLIGHT_MAX = 64;
/** Maximum documents waiting for their relay; further ones are left to the sweeper. */
export const RELAY_QUEUE_MAX = 10_000;
/** Maximum rounds of read, publish and pull per document before it is left to the sweeper. */
export const RELAY_ROUNDS_MAX = 4;
export const SWEEP_EVERY_MS = 1_000;
export const SWEEP_OLDER_THAN_MS = 5_000;
export const SWEEP_BATCH = 256;
/** Maximum full batches swept without a pause. */
export const SWEEP_BATCHES_MAX = 64;
export const SWEEP_IN_FLIGHT_MAX = 16;
/** Maximum documents read to find one batch; those in backoff are skipped. */
export const SWEEP_SCAN_MAX = 4_096;
export const SWEEP_LEASE_MS = 15_000;
/** Backoff of a document that could not be delivered, doubled each time, ms. */
export const SWEEP_BACKOFF_MS_MIN = 1_000;
export const SWEEP_BACKOFF_MS_MAX = 60_000;
export const SWEEP_BACKOFF_DOCUMENTS_MAX = 10_000;

/** Idempotency keys: a running request records a sign of life every BEAT_MS; after RUNNING_MS without one it counts as crashed. */
export const IDEMPOTENCY_BEAT_MS = 1_000;
export const IDEMPOTENCY_RUNNING_MS = 5_000;
export const IDEMPOTENCY_KEY_CHARS_MAX = 200;
/** Per user and service: maximum keys within 24 h (concurrent calls may exceed it slightly), and maximum size of a stored response. */
export const IDEMPOTENCY_KEYS_MAX = 500;
export const IDEMPOTENCY_ANSWER_BYTES_MAX = 16 * 1024;

/** Maximum fields listed in one refusal. */
export const FIELDS_NAMED_MAX = 50;

/** HTTP server. */
export const HTTP_HEADERS_TIMEOUT_MS = 10_000;
export const HTTP_REQUEST_TIMEOUT_MS = 30_000;
/** Longer than a proxy's own timeout, so that the proxy closes first. */
export const HTTP_KEEP_ALIVE_MS = 75_000;
export const HTTP_CLOSE_MS_MAX = 4_000;
export const HTTP_CLOSE_IDLE_EVERY_MS = 50;

/** Figures read on request: timeout of one, ms, and maximum documents counted. */
export const METRIC_READ_MS_MAX = 2_000;
export const METRIC_COUNT_MAX = 10_000;

/** Resolution of the event loop lag, ms: even an idle process wakes up once per step. */
export const LOOP_LAG_STEP_MS = 250;

/** How long a gateway's probe counts, ms; it comes once a second. */
export const GATEWAY_PROBE_MS_MAX = 10_000;

/** Interval at which a slow start logs what it waits for, ms. */
export const START_LOG_EVERY_MS = 10_000;

/**
 * Shutdown: unready for twice the interval of the slowest prober (the gateway probes once a second), then the ordered stop. The
 * kill timer ends a hanging process.
 */
export const DRAIN_MS_DEFAULT = 2_000;
export const DRAIN_MS_MAX = 120_000;
export const SHUTDOWN_MS_MAX = 9_000;

/** Interval of event loop checks, ms; after this many failed checks in a row the process is ended. */
export const STUCK_LOOK_MS = 5_000;
export const STUCK_LOOKS_MAX = 12;

/** Interval at which a migration, and a service that waits for it, checks the progress, ms. */
export const MIGRATION_LOOK_MS = 100;
/** Documents between two recorded positions of a migration. */
export const MIGRATION_BATCH = 500;
/** How long a dead migration blocks others, ms. */
export const MIGRATION_LEASE_MS = 30_000;
/** Interval at which a migration renews its lease, even during one long store command, ms. */
export const MIGRATION_RENEW_MS = MIGRATION_LEASE_MS / 6;
