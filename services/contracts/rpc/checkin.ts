import { z } from 'zod';
import { openEnum, timeMs } from '../events/envelope.js';
import { day } from '../http/fields.js';
import { EXCUSES } from '../rules/streak.js';
import { rpc } from './rpc.js';

/** UTC days that break no streak, for everybody (services/tasks/README.md#days-that-are-excused). */
export const excusedRpc = rpc(
  'checkin.excused',
  { from: ['auth', 'notices'], by: 'tasks' },
  z.object({}),
  z.object({
    /** Days that are over, oldest first, of the last 366. */
    days: z.array(z.object({ dayKey: day, reason: openEnum(EXCUSES) })),
    /** No user can be expected to check in today any more: check-ins cannot be made now, or could not for so long that the day breaks no streak. */
    today: z.boolean(),
  }),
);

/** When check-ins could not be made through a fault of ours, the latest stretches (services/tasks/README.md#days-that-are-excused). */
export const outagesRpc = rpc(
  'checkin.outages',
  { from: ['mining'], by: 'tasks', toEach: true },
  z.object({}),
  z.object({
    /** ms since epoch, oldest first; `toMs` is null while it lasts. */
    outages: z.array(z.object({ fromMs: timeMs, toMs: timeMs.nullable() })),
  }),
);
