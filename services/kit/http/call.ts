import type { Endpoint } from '@cord/contracts/endpoint';
import type { Context } from 'koa';
import type { SessionUser } from '../caller.js';
import type { Log } from '../log.js';
import type { Input } from './guard.js';

/** One call of an endpoint, its input parsed. */
export interface Call<E, User = SessionUser> extends Input<E> {
  readonly user: User;
  /** Client's network address. */
  readonly ip: string;
  /** ms since epoch, by the kit's clock, the same for the whole call. */
  readonly now: number;
  /** With the endpoint's id on each line. */
  readonly log: Log;
  /** Request headers, lower-case names. */
  readonly headers: Context['headers'];
  readonly koa: Context;
  /**
   * Takes this call from its budget, for classes of which the handler does that (contracts, `BY_HANDLER`).
   * @throws Problem 429 with Retry-After
   */
  takeFromBudget(): Promise<void>;
  /** Answers 202 with the same shape: a credit is still on its way (contracts, `alsoAccepted`). */
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

/** A class, because a save makes one each: the shape is fixed and the child logger made only when used. */
export class EndpointCall implements Call<Endpoint, SessionUser | null> {
  readonly params;
  readonly query;
  readonly body;
  readonly user: SessionUser | null;
  readonly ip: string;
  readonly now: number;
  readonly koa: Context;
  readonly takeFromBudget: () => Promise<void>;
  /** Status of a success. */
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
