import { z } from 'zod';
import { openEnum, timeMs } from '../events/envelope.js';
import { day } from '../http/fields.js';
import { EXCUSES } from '../rules/streak.js';
import { rpc } from './rpc.js';

/** UTC days that break nobody's streak (services/tasks/README.md#days-that-are-excused). */
export const excusedRpc = rpc(
  'checkin.excused',
  { from: ['auth', 'notices'], by: 'tasks' },
  z.object({}),
  z.object({
    /** Past days of the last 366, oldest first. */
    days: z.array(z.object({ dayKey: day, reason: openEnum(EXCUSES) })),
    /** No user can be expected to check in today: check-ins are impossible now, or were for so long that the day breaks no streak. */
    today: z.boolean(),
  }),
);

/** The latest outages of ours that prevented check-ins (services/tasks/README.md#days-that-are-excused). */
export const outagesRpc = rpc(
  'checkin.outages',
  { from: ['mining'], by: 'tasks', toEach: true },
  z.object({}),
  z.object({
    /** ms since epoch, oldest first; `toMs` is null while the outage lasts. */
    outages: z.array(z.object({ fromMs: timeMs, toMs: timeMs.nullable() })),
  }),
);
