import type { Endpoint } from '@cord/contracts/endpoint';
import type { Context } from 'koa';
import type { SessionUser } from '../caller.js';
import type { Log } from '../log.js';
import type { Input } from './guard.js';

/** One call of an endpoint, with its parsed input. */
export interface Call<E, User = SessionUser> extends Input<E> {
  readonly user: User;
  /** Client's network address. */
  readonly ip: string;
  /** ms since epoch by the kit's clock, constant during the call. */
  readonly now: number;
  /** Logs the endpoint's id on each line. */
  readonly log: Log;
  /** Request headers, with lower-case names. */
  readonly headers: Context['headers'];
  readonly koa: Context;
  /**
   * Counts this call against its rate limit, for classes in which the handler does so (`BY_HANDLER`).
   * @throws Problem 429 with Retry-After
   */
  takeFromBudget(): Promise<void>;
  /** Makes the response 202 with the same shape: a credit is pending (contracts, `alsoAccepted`). */
  accepted(): void;
}

interface CallParts {
  endpoint: Endpoint;
  input: Input<Endpoint>;
  user: SessionUser | null;
  ip: string;
  now: number;
  log: Log;
  koa: Context;
  takeFromBudget: () => Promise<void>;
}

/** A class, because each save creates one: the shape is fixed and the child logger is created only when used. */
export class EndpointCall implements Call<Endpoint, SessionUser | null> {
  readonly params;
  readonly query;
  readonly body;
  readonly user: SessionUser | null;
  readonly ip: string;
  readonly now: number;
  readonly koa: Context;
  readonly takeFromBudget: () => Promise<void>;
  /** Status of a successful response. */
  status: number;
  readonly #endpoint: Endpoint;
  readonly #serviceLog: Log;
  #log: Log | undefined;

  constructor({ endpoint, input, user, ip, now, log, koa, takeFromBudget }: CallParts) {
    this.params = input.params;
    this.query = input.query;
    this.body = input.body;
    this.user = user;
    this.ip = ip;
    this.now = now;
    this.koa = koa;
    this.takeFromBudget = takeFromBudget;
    this.status = endpoint.status;
    this.#endpoint = endpoint;
    this.#serviceLog = log;
  }

  get headers(): Context['headers'] {
    return this.koa.headers;
  }

  get log(): Log {
    this.#log ??= this.#serviceLog.child({ route: this.#endpoint.id });
    return this.#log;
  }

  accepted(): void {
    this.status = 202;
  }
}
