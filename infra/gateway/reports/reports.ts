import { clientErrorEndpoints } from '@cord/contracts/http/client-errors';
import { SHELL } from '@cord/deploy/store/release-line';
import { jsonIn } from '@cord/kit/json';
import type Koa from 'koa';
import { z } from 'zod';

const { method: METHOD, path: PATH } = clientErrorEndpoints.report;

/** The counted parts of a report of errors and visits; the service has validated the report. */
const report = z.object({
  errors: z.array(
    z.object({
      module: z.string().optional(),
      versions: z.object({ shell: z.string(), module: z.string().optional() }),
    }),
  ),
  visits: z.array(z.object({ module: z.string(), version: z.string(), n: z.number().default(1) })).default([]),
});
/** One report of a page. */
export type PageReport = z.output<typeof report>;

/** Koa state that a call may set for the forwarder. */
export interface BodyReceiver {
  /** Receives the forwarded body. */
  onBody?: (body: Buffer) => void;
}

/**
 * Passes on the pages' reports once the service has accepted them. Anybody may send one: reports are counted and decide nothing.
 * @param onReport receives each report
 */
export function readReports(onReport: (report: PageReport) => void): Koa.Middleware<BodyReceiver> {
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

/** Returns the module that caused an error, or the shell; the version is not always known. */
export function causeOf({ module, versions }: PageReport['errors'][number]): { module: string; version?: string } {
  const version = module === undefined ? versions.shell : versions.module;
  return { module: module ?? SHELL, ...(version !== undefined && { version }) };
}
