import { clientErrorEndpoints } from '@cord/contracts/http/client-errors';
import { SHELL } from '@cord/deploy/store/release-line.mjs';
import { countedAddress } from '@cord/kit/address';
import { clientAddress, type TrustedProxies } from '@cord/kit/http/client-address';
import type Koa from 'koa';
import { z } from 'zod';
import type { Visits } from './counts.js';

const { method: METHOD, path: PATH } = clientErrorEndpoints.report;

/** Of a message about faults and visits what is counted; it was checked by the service that took it. */
const message = z.object({
  errors: z.array(
    z.object({
      module: z.string().optional(),
      versions: z.object({ shell: z.string(), module: z.string().optional() }),
    }),
  ),
  visits: z.array(z.object({ module: z.string(), version: z.string(), n: z.number().default(1) })).default([]),
});
/** What one page tells at a time. */
export type ToldByPage = z.output<typeof message>;

/** What a call may leave for whoever forwards it. */
export interface HearsBody {
  /** Is given the body as it is forwarded. */
  onBody?: (body: Buffer) => void;
}

/**
 * Hears what browsers tell of their visits, once the service has taken it. A message is of one page, so each version in it is one visit, whatever
 * it says; one with a fault, where it tells a fault of that version beside it.
 * @param mayCount whether an address on the internet counts once more for that version; addresses at home always do
 * @param told is given each message as it came, whoever tells it
 */
export function hearVisits(
  trustedProxies: TrustedProxies,
  mayCount: (address: string, module: string, version: string) => boolean,
  heard: (visits: Visits[]) => void,
  told: (message: ToldByPage) => void,
): Koa.Middleware<HearsBody> {
  return (ctx, next) => {
    if (ctx.path !== `/api${PATH}` || ctx.method !== METHOD) return next();
    const address = countedAddress(clientAddress(ctx.req, trustedProxies));
    ctx.state.onBody = (body) => {
      ctx.res.once('close', () => {
        if (ctx.res.statusCode !== clientErrorEndpoints.report.status) return;
        const { data } = message.safeParse(parsed(body));
        if (!data) return;
        told(data);
        const visits = visitsIn(data).filter(
          ({ module, version }) => address === null || mayCount(address, module, version),
        );
        if (visits.length > 0) heard(visits);
      });
    };
    return next();
  };
}

function visitsIn({ errors, visits }: ToldByPage): Visits[] {
  const byKey = new Map(visits.map((visit) => [`${visit.module} ${visit.version}`, visit]));
  return [...byKey.values()].map(({ module, version }) => {
    const isFailed = errors.map(blamed).some((one) => one.module === module && one.version === version);
    return { module, version, n: 1, failed: isFailed ? 1 : 0 };
  });
}

/** Whose fault it is: of a module, or of the shell; the version is not always known. */
export function blamed({ module, versions }: ToldByPage['errors'][number]): { module: string; version?: string } {
  const version = module === undefined ? versions.shell : versions.module;
  return { module: module ?? SHELL, ...(version !== undefined && { version }) };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
