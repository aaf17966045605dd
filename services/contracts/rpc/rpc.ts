import type { z } from 'zod';
import type { ServiceName } from '../address.js';

/** Who has a password at NATS (`natsAccounts`). */
export type NatsUser = ServiceName | 'gateway' | 'setup' | 'rights';

/** A request over NATS. */
export interface Rpc<Req extends z.ZodType = z.ZodType, Res extends z.ZodType = z.ZodType> {
  /** `cord.rpc.v1.<name>` */
  subject: string;
  request: Req;
  reply: Res;
  /**
   * Every replica of its answerer gets it, and the first that can answer counts: one that is cut off or stands still keeps no caller waiting. For requests that
   * are rare and whose caller cannot go on without an answer. The effect must be the same however many handle it.
   */
  toEach?: true;
}

/** Who sends a request and who answers it: the NATS permissions of both follow from it (`permissionsFor`). */
interface Parties extends Pick<Rpc, 'toEach'> {
  from: readonly NatsUser[];
  by: NatsUser;
  /** It is also sent for one part of the users, below its subject (services/README.md#one-writer-per-user). */
  byPartition?: true;
  /** The subject that its answerer subscribes; default its own. */
  servedAt?: string;
}

/** A request as a file of this folder declares it. */
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
