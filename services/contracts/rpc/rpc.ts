import type { z } from 'zod';

/** A request from service to service over NATS. */
export interface Rpc<Req extends z.ZodType = z.ZodType, Res extends z.ZodType = z.ZodType> {
  /** `cord.rpc.v1.<name>` */
  subject: string;
  request: Req;
  reply: Res;
}

/** Declares a request and its reply. */
export function rpc<Req extends z.ZodType, Res extends z.ZodType>(
  name: string,
  request: Req,
  reply: Res,
): Rpc<Req, Res> {
  return { subject: `cord.rpc.v1.${name}`, request, reply };
}
