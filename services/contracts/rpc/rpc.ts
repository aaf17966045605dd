import type { z } from 'zod';
import type { ServiceName } from '../address.js';

/** NATS users with a password (`natsAccounts`). */
export type NatsUser = ServiceName | 'gateway' | 'setup' | 'rights';

/** A request over NATS. */
export interface Rpc<Req extends z.ZodType = z.ZodType, Res extends z.ZodType = z.ZodType> {
  /** `cord.rpc.v1.<name>` */
  subject: string;
  request: Req;
  reply: Res;
  /**
   * Every replica of the serving service gets the request, and the first response counts: a replica that is cut off or hangs delays no
   * caller. For rare requests whose caller needs a response. The effect must not depend on how many replicas handle it.
   */
  toEach?: true;
}

/** Sender and server of a request; the NATS permissions of both follow from it (`permissionsFor`). */
interface Parties extends Pick<Rpc, 'toEach'> {
  from: readonly NatsUser[];
  by: NatsUser;
  /** It is also sent per partition of users, below its subject (services/README.md#one-writer-per-user). */
  byPartition?: true;
  /** The subject that its server subscribes to; default the request's own. */
  servedAt?: string;
}

/** A request as declared in this folder. */
export type DeclaredRpc<Req extends z.ZodType = z.ZodType, Res extends z.ZodType = z.ZodType> = Rpc<Req, Res> & Parties;

/** Declares a request and its reply. */
export function rpc<Req extends z.ZodType, Res extends z.ZodType>(
  name: string,
  parties: Parties,
  request: Req,
  reply: Res,
): DeclaredRpc<Req, Res> {
  return { subject: `cord.rpc.v1.${name}`, request, reply, ...parties };
}
