import type { Source } from '../events/balance.js';
import type { LiveKind } from '../live/kinds.js';

/** A call below /api that answers with a redirect, a picture or a stream and is therefore no endpoint of the contract. */
export interface RawRoute {
  method: 'GET' | 'POST';
  /** Path below /api with `:name` parameters. */
  path: string;
  /** Its entry in the API document; without this it is not for other programs. */
  docs?: { id: string; summary: string; query: readonly string[] };
}

/**
 * What a service does with all that is outside it. Streams and consumers, NATS users and what each may publish and subscribe, and the
 * gateway's table of owners are made from it; what is not in it, the service cannot do. Its calls are the endpoints of `http/`
 * that name it, and `raw` beside them; what it requests and answers is declared in `rpc/`; the streams that it reads follow from
 * `events/reads.ts`.
 */
export interface Manifest {
  raw?: readonly RawRoute[];
  /** The streams that it alone may publish to, and the things whose events lie there. */
  streams: Readonly<Record<string, readonly string[]>>;
  /**
   * What it credits and up to how many micro-CORD at once. This gives it a credit subject of its own and no right: whether a
   * credit is made is decided by mining, by a table of its own (services/mining/ledger/credit-table.ts).
   */
  credits?: Readonly<Partial<Record<Source, bigint>>>;
  /** Kinds of the live stream that it sends. */
  liveKinds: readonly LiveKind[];
  /** What it subscribes from all services: presence, live events. */
  listensTo?: readonly ('presence' | 'live')[];
  /** Its replicas share its users among them, and announce themselves to each other. */
  sharesUsers?: boolean;
  /** It reports how full the stream of dead letters is, and takes an erased user's out of it. */
  tendsDeadLetters?: boolean;
  /** It reports how full every stream is, to operators. */
  looksAtStreams?: boolean;
  /** What it calls outside the system, beside the document store and NATS that every service has. */
  outside?: readonly ('discord' | 'solana' | 'prices' | 'push')[];
}
