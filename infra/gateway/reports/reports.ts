import { clientErrorEndpoints } from '@cord/contracts/http/client-errors';
import { SHELL } from '@cord/deploy/store/release-line';
import { jsonIn } from '@cord/kit/json';
import type Koa from 'koa';
import { z } from 'zod';

const { method: METHOD, path: PATH } = clientErrorEndpoints.report;

/** Of a report of faults and visits what is counted; it was checked by the service that took it. */
const report = z.object({
  errors: z.array(
    z.object({
      module: z.string().optional(),
      versions: z.object({ shell: z.string(), module: z.string().optional() }),
    }),
  ),
  visits: z.array(z.object({ module: z.string(), version: z.string(), n: z.number().default(1) })).default([]),
});
/** What one page reports at a time. */
export type PageReport = z.output<typeof report>;

/** What a call may leave for whoever forwards it. */
export interface WantsBody {
  /** Is given the body as it is forwarded. */
  onBody?: (body: Buffer) => void;
}

/**
 * Passes on what pages report, once the service has taken it. Anybody may send a report: it is counted and decides nothing.
 * @param onReport is given each report as it came
 */
export function readReports(onReport: (report: PageReport) => void): Koa.Middleware<WantsBody> {
  return (ctx, next) => {
    if (ctx.path !== `/api${PATH}` || ctx.method !== METHOD) return next();
    ctx.state.onBody = (body) => {
      ctx.res.once('close', () => {
        if (ctx.res.statusCode !== clientErrorEndpoints.report.status) return;
        const { data } = report.safeParse(jsonIn(body.toString()));
        if (data) onReport(data);
      });
    };
    return next();
  };
}

/** Whose fault it is: of a module, or of the shell; the version is not always known. */
export function blamed({ module, versions }: PageReport['errors'][number]): { module: string; version?: string } {
  const version = module === undefined ? versions.shell : versions.module;
  return { module: module ?? SHELL, ...(version !== undefined && { version }) };
}
