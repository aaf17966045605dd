import type { Source } from '../events/balance.js';
import type { LiveKind } from '../live/kinds.js';

/** A call below /api that responds with a redirect, a picture or a stream, and is therefore no endpoint of the contract. */
export interface RawRoute {
  method: 'GET' | 'POST';
  /** Path below /api, with `:name` parameters. */
  path: string;
  /** Entry in the API document; a route without it is not for other programs. */
  docs?: { id: string; summary: string; query: readonly string[] };
}

/**
 * What a service uses outside itself. Streams, consumers, NATS users with their permissions, and the gateway's table of owners are
 * made from it; a service can do nothing that is not declared. Its calls are the endpoints of `http/` that name it, plus `raw`. Its
 * requests and the ones it serves are declared in `rpc/`. The streams it reads follow from `events/reads.ts`.
 */
export interface Manifest {
  raw?: readonly RawRoute[];
  /** The streams that only this service may publish to, and the things whose events they hold. */
  streams: Readonly<Record<string, readonly string[]>>;
  /**
   * Sources it credits, each with the maximum micro-CORD per credit. This creates its credit subject and grants no right:
   * mining decides on each credit by its own table (services/mining/ledger/credit-table.ts).
   */
  credits?: Readonly<Partial<Record<Source, bigint>>>;
  /** Kinds of the live stream that it publishes. */
  liveKinds: readonly LiveKind[];
  /** Subjects of all services that it subscribes to: presence, live events. */
  listensTo?: readonly ('presence' | 'live')[];
  /** Its replicas share its users and announce themselves to each other. */
  sharesUsers?: boolean;
  /** It reports the fill of the dead letter stream, and deletes an erased user's dead letters. */
  tendsDeadLetters?: boolean;
  /** It reports the fill of every stream to operators. */
  looksAtStreams?: boolean;
  /** External systems that it calls, beside the document store and NATS, which every service uses. */
  outside?: readonly ('discord' | 'solana' | 'prices' | 'push')[];
}
