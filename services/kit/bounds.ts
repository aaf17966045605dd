/*
 * Every loop, queue, retry, cache and wait of the kit has its bound here, and only here.
 * Limits that callers of the API meet (body size, rates) stand in @cord/contracts/limits.
 */

/** NATS: first connection and reconnection. */
export const NATS_CONNECT_TIMEOUT_MS = 5_000;
export const NATS_RETRY_MS_MAX = 5_000;
export const NATS_RECONNECT_WAIT_MS = 250;
/** A server that leaves so many pings without an answer is gone, after 6 s; a server finds its clients gone alike (infra/dev/starter/nats.ts). */
export const NATS_PING_INTERVAL_MS = 2_000;
export const NATS_PINGS_OUT_MAX = 2;
export const NATS_DRAIN_MS_MAX = 3_000;
/** Largest message where the server has not announced its own: NATS's default. */
export const NATS_PAYLOAD_BYTES_MAX = 1024 * 1024;

/** A service that waits for its streams checks this often whether they are there. */
export const TOPOLOGY_LOOK_MS = 500;

/** Publishing to a stream: how long for the acknowledgement. */
export const PUBLISH_TIMEOUT_MS = 5_000;
/** Subjects of which a process remembers where their last state stands; of others it reads the state before it publishes. */
export const STATE_PLACES_MAX = 50_000;
/** How often others may publish the same subject meanwhile before a publish is given up and tried again later. */
export const STATE_TRIES_MAX = 8;
/** Reading another's last state: how long for the answer (services/README.md#who-owns-what). */
export const STATE_READ_MS = 200;

/** Publishing all state anew: documents read at once, events on their way at once, how long one replica has the work. */
export const REPUBLISH_BATCH = 256;
export const REPUBLISH_IN_FLIGHT_MAX = 32;
export const REPUBLISH_LEASE_MS = 60_000;
/** How often an owner looks whether its streams are the known ones. */
export const REPUBLISH_LOOK_EVERY_MS = 60_000;
/** For so long what was published can be published again to a NATS server that was restarted, ms: it writes to its disk each two minutes unless set otherwise. */
export const REPUBLISH_RECENT_MS = 300_000;
/** What was published is noted once in so long at the most, all documents of a process together, ms. */
export const RECENT_WRITE_EVERY_MS = 20;

/** Requests between services. */
export const RPC_TIMEOUT_MS = 2_000;
export const RPC_IN_FLIGHT_MAX = 1_024;
/** Users of whom a process requests the registration from auth at once. */
export const REGISTRATIONS_IN_FLIGHT_MAX = 64;
/** How often a replica looks whether it yields to the others. */
export const YIELD_LOOK_MS = 500;

/** The rule books: how often they are requested of the ledger, and how old an answer may be by which something is paid: less than RULES_AHEAD_MS_LEAST. */
export const RULES_READ_EVERY_MS = 60_000;
export const RULES_AGE_MS_MAX = 1_800_000;

/** Durable consumers. */
export const CONSUMER_ACK_WAIT_MS = 30_000;
/**
 * How long one request for messages is good for. A cluster does not see across accounts that a reader has stopped: what is sent to a
 * request of one within this time comes again after the ack wait (one server sees it at once).
 */
export const CONSUMER_PULL_MS = 3_000;
export const CONSUMER_ACK_PENDING_MAX = 1_024;
/** Messages of a consumer handled at a time; those of one user always one after the other. */
export const CONSUMER_CONCURRENCY = 16;
/** Messages fetched ahead; each waits at most a few handlers long, well below the ack wait. */
export const CONSUMER_PREFETCH = 128;
export const CONSUMER_WORKING_EVERY_MS = 10_000;
/** Wait before delivery n + 1 after a failed handler, ms; the last one repeats. */
export const CONSUMER_BACKOFF_MS: readonly number[] = [500, 1_000, 2_000, 5_000, 15_000, 30_000, 60_000];
/** Pause before a broken consumer is taken up again. */
export const CONSUMER_RESUME_MS = 1_000;
/** A stream that is read whole: how often the server reports that it has nothing more. */
export const ORDERED_HEARTBEAT_MS = 5_000;
/** A stream of another server, or of one that was restarted, is read from so long before the last message on, ms: twice CLOCK_OFF_MS_MAX. */
export const ORDERED_OVERLAP_MS = 10_000;
/** A reader's consumer whose process is gone is dropped by the server after this. */
export const READER_INACTIVE_MS = 300_000;
/** While the store is away a message waits in place and is not counted as tried; after this long it is given back. */
export const CONSUMER_STORE_WAIT_MS = 1_000;
export const CONSUMER_STORE_WAIT_MS_MAX = 300_000;
/**
 * Deliveries of a message, also where its process was stopped or waited for the store: one that ends the process each time is set aside after
 * some two hours of ack waits. An outage of the store for a day has no more.
 */
export const CONSUMER_DELIVERIES_MAX = 256;
/** Answers 503 of a message's handler: with the waits above some fifty minutes. */
export const CONSUMER_BUSY_MAX = 64;
export const DEAD_LETTER_PAYLOAD_CHARS_MAX = 256 * 1024;
export const DEAD_LETTERS_LISTED_MAX = 1_000;
export const DEAD_LETTERS_READ_MS_MAX = 5_000;

/** Rights: what auth publishes and answers, and how services follow it (services/README.md#sign-in-and-rights). */
export const RIGHTS_HEARTBEAT_MS = 1_000;
export const RIGHTS_REQUEST_TIMEOUT_MS = 1_000;
export const RIGHTS_RETRY_MS = 500;
/** The whole is read at most this often because of messages, and at least this often without any. */
export const RIGHTS_WHOLE_GAP_MS = 1_000;
export const RIGHTS_WHOLE_EVERY_MS = 600_000;
/** Signing keys, which are few, are requested at least this often without any message: a key that is withdrawn stays withdrawn, also when its message was lost. */
export const RIGHTS_KEYS_EVERY_MS = 10_000;
/** A whole that takes long is read at most in one part of so many of the time. */
export const RIGHTS_WHOLE_SHARE = 60;
/**
 * Pages of one whole; entries of one page (some 90 bytes each, of the megabyte of a message) and ended sessions beside them (22 bytes
 * each); what is held in memory, some 200 bytes an entry and 32 to 64 an ended session.
 */
export const RIGHTS_PAGES_MAX = 1_000;
export const RIGHTS_PAGE_ENTRIES = 4_000;
export const RIGHTS_PAGE_ENDED = 16_000;
/** How long others may come who request the same page, after the first one. */
export const RIGHTS_PAGE_GATHER_MS = 20;
export const RIGHTS_HELD_MAX = 4_000_000;
/** How long a page may take to come while a million are read by every service at once, and how often one page is requested. */
export const RIGHTS_PAGE_TIMEOUT_MS = 5_000;
export const RIGHTS_PAGE_TRIES_MAX = 5;
/** Replicas of auth remembered, past ones too. */
export const RIGHTS_SOURCES_MAX = 256;
/** A replica of auth that is silent for so long, ms, may have ended between storing a change and announcing it. */
export const RIGHTS_SILENT_MS = 5_000;
/** Writes are refused once what is known is older than this. */
export const RIGHTS_STALE_MS = 30_000;

/** A token by which the gateway identifies the caller to a service: how long it is good, and how far the clocks of two machines may differ, ms. */
export const CALLER_LIFETIME_MS = 60_000;
export const CALLER_TOLERANCE_MS = 5_000;
export const CALLER_TOKENS_KEPT_MAX = 50_000;

/** Session check. */
export const SESSION_CACHE_MAX = 50_000;
/** A change that auth has made by a call holds for the next call; the gateway waits for that so long at most, ms. */
export const SESSION_SETTLE_MS_MAX = 500;
export const SESSION_TOKEN_CHARS_MAX = 4_096;
/** Unknown tokens of addresses with a spent budget of bad ones that wait for the check of their signature, which is made one at a time. */
export const SPENT_TOKENS_WAITING_MAX = 64;
/** An unknown kid is requested once in this time. */
export const UNKNOWN_KEY_REFETCH_MS = 30_000;

/** Document store. */
export const STORE_SELECTION_TIMEOUT_MS = 5_000;
export const STORE_SOCKET_TIMEOUT_MS = 20_000;
export const STORE_CONNECT_TIMEOUT_MS = 5_000;
export const STORE_HEARTBEAT_MS = 2_000;
export const STORE_POOL_MAX = 64;
/** A process's clock is compared with the store's and NATS's this often, ms; one that is further off takes no writes. */
export const CLOCK_LOOK_EVERY_MS = 5_000;
export const CLOCK_OFF_MS_MAX = 5_000;
/** An answer that was longer on its way proves nothing: the clock may be off by as much as that, ms. */
export const CLOCK_ANSWER_MS_MAX = 60_000;
/** How long NATS may take to answer with its time, ms. */
export const CLOCK_READ_MS_MAX = 2_000;
/** How long a clock of local mode may be behind the one of all, ms: a service follows a moment after the file is written. */
export const DEV_CLOCK_BEHIND_MS_MAX = 30_000;
export const STORE_RETRY_MS_MAX = 5_000;
export const STORE_PING_TIMEOUT_MS = 2_000;
/**
 * A driver that has lost itself ends its process. It is looked at every STORE_HEARTBEAT_MS: 20 s without a request to a server, where a heartbeat
 * ends within 12 s (its pause, connect, handshake); 60 s with one command, where a socket is given up after 20 s.
 */
export const STORE_SILENT_LOOKS_MAX = 10;
export const STORE_HELD_LOOKS_MAX = 30;

/** Lost races before a change by compare-and-set gives up; each one means that another change was written. */
export const CHANGE_TRIES_MAX = 64;

/** Who is online: how often a service reports, short against the five minutes that count; users held until then. */
export const PRESENCE_REPORT_EVERY_MS = 10_000;
export const PRESENCE_SEEN_MAX = 100_000;

/** Periodic work: the first run after a start comes within this time; pauses are longer or shorter by this share. */
export const PERIODIC_FIRST_MS_MAX = 1_000;
export const PERIODIC_JITTER = 0.1;

/** Replicas of a service that share its users announce themselves to each other; one that is silent this long is gone. */
export const REPLICA_BEAT_MS = 1_000;
export const REPLICA_GONE_MS = 3_500;

/** Outbox (services/mining/ledger/README.md#outbox-and-relay). */
export const OUTBOX_ITEMS_MAX = 64;
/** How long events may be left to a document's next write: a mark lies at most so far ahead, ms. */
export const OUTBOX_AHEAD_MS_MAX = 60_000;
export const RELAY_IN_FLIGHT_MAX = 64;
/** Documents waiting for their relay; more than that is left to the sweeper. */
export const RELAY_QUEUE_MAX = 10_000;
/** Rounds of read, publish, pull for one document before it is left to the sweeper. */
export const RELAY_ROUNDS_MAX = 4;
export const SWEEP_EVERY_MS = 1_000;
export const SWEEP_OLDER_THAN_MS = 5_000;
export const SWEEP_BATCH = 256;
/** Full batches swept without a pause. */
export const SWEEP_BATCHES_MAX = 64;
export const SWEEP_IN_FLIGHT_MAX = 16;
/** Documents read to find one batch: those that back off are passed over. */
export const SWEEP_SCAN_MAX = 4_096;
export const SWEEP_LEASE_MS = 15_000;
/** Wait before the next try of a document that could not be delivered, doubled each time. */
export const SWEEP_BACKOFF_MS_MIN = 1_000;
export const SWEEP_BACKOFF_MS_MAX = 60_000;
export const SWEEP_BACKOFF_DOCUMENTS_MAX = 10_000;

/** Idempotency keys: a request that runs is noted each second; one that was not for this long is taken for crashed. */
export const IDEMPOTENCY_BEAT_MS = 1_000;
export const IDEMPOTENCY_RUNNING_MS = 5_000;
export const IDEMPOTENCY_KEY_CHARS_MAX = 200;
/** What is kept of a user in one service: so many keys within 24 h, of calls that run at once a few more, and answers up to this size. */
export const IDEMPOTENCY_KEYS_MAX = 500;
export const IDEMPOTENCY_ANSWER_BYTES_MAX = 16 * 1024;

/** Fields named in one refusal. */
export const FIELDS_NAMED_MAX = 50;

/** HTTP server. */
export const HTTP_HEADERS_TIMEOUT_MS = 10_000;
export const HTTP_REQUEST_TIMEOUT_MS = 30_000;
/** Longer than a proxy's own, so that the proxy closes first. */
export const HTTP_KEEP_ALIVE_MS = 75_000;
export const HTTP_CLOSE_MS_MAX = 4_000;
export const HTTP_CLOSE_IDLE_EVERY_MS = 50;

/** Figures that are read when they are requested: how long one may take, and how far documents are counted. */
export const METRIC_READ_MS_MAX = 2_000;
export const METRIC_COUNT_MAX = 10_000;

/** How finely the lag of the event loop is measured: a process wakes up once in each step, also when it has nothing to do. */
export const LOOP_LAG_STEP_MS = 250;

/** A gateway's probe counts for so long, ms: it comes once a second. */
export const GATEWAY_PROBE_MS_MAX = 10_000;

/** A start that takes longer logs what it waits for, again and again. */
export const START_LOG_EVERY_MS = 10_000;

/**
 * Shutdown: unready for twice the interval of the slowest prober (the gateway probes once a second), then the ordered stop; the
 * kill timer ends what hangs.
 */
export const DRAIN_MS_DEFAULT = 2_000;
export const DRAIN_MS_MAX = 120_000;
export const SHUTDOWN_MS_MAX = 9_000;

/** Whether the event loop turns is looked at this often, ms; after so many looks at which it has not, the process is ended. */
export const STUCK_LOOK_MS = 5_000;
export const STUCK_LOOKS_MAX = 12;

/** A migration, and a service that waits for one, checks this often how far it is, ms. */
export const MIGRATION_LOOK_MS = 100;
/** Documents between two places of a migration. */
export const MIGRATION_BATCH = 500;
/** How long a migration that died keeps others waiting, ms. */
export const MIGRATION_LEASE_MS = 30_000;
/** A migration looks at its lease this often, also while the store works at one command, ms. */
export const MIGRATION_RENEW_MS = MIGRATION_LEASE_MS / 6;
