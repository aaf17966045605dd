import { CLAIMED_DAYS, taskEndpoints } from '@cord/contracts/http/tasks';
import { DAY_MS, dayKey } from '@cord/contracts/rules/days';
import { microToNumber, numberToMicro } from '@cord/contracts/rules/money';
import type { Http } from '@cord/kit/http';
import type { Live } from '@cord/kit/live';
import type { Catalogue } from '../catalogue.js';
import type { Claimed, ClaimedOfTask } from '../claimed.js';
import { presentTask } from './present.js';

interface Parts {
  catalogue: Catalogue;
  claimed: Claimed;
  live: Pick<Live, 'sendAll'>;
}

/** Registers the admins' routes of the catalogue; each act is recorded in the audit log first. */
export function catalogueRoutes(http: Http, { catalogue, claimed, live }: Parts): void {
  const sendCatalogue = (nowMs: number) => live.sendAll('tasks', { seq: String(nowMs) });

  http.route(taskEndpoints.catalogue, async ({ now }) => {
    // Stores this replica's pending counts before the sums are read.
    const sums = await claimed.between(dayKey(now - (CLAIMED_DAYS - 1) * DAY_MS), dayKey(now));
    const [tasks, countedSince] = await Promise.all([catalogue.fresh(), claimed.first()]);
    return {
      tasks: tasks.map((task) => ({
        ...presentTask(task),
        measure: task.measure,
        claims: presentClaims(task.measure === 'check-in' ? sums.checkIn : sums.task(task.id)),
      })),
      days: CLAIMED_DAYS,
      countedSince,
    };
  });

  http.route(taskEndpoints.create, async ({ body, user, now }) => {
    const { id, type, title, description, maxProgress, reward, measure, socialUrl, expiresAt, reason, ...extra } = body;
    const task = {
      ...{ id, type, title, description, maxProgress, extra },
      rewardMicro: numberToMicro(reward),
      measure: measure ?? null,
      socialUrl: socialUrl ?? null,
      expiresAtMs: expiresAt ? Date.parse(expiresAt) : null,
    };
    const created = await catalogue.create(task, { adminId: user.id, reason });
    sendCatalogue(now);
    return presentTask(created);
  });

  http.route(taskEndpoints.update, async ({ params, body, user, now }) => {
    const { type, title, description, maxProgress, reward, measure, socialUrl, expiresAt, reason, ...extra } = body;
    const changes = {
      ...given({ type, title, description, maxProgress, measure, socialUrl }),
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
      ...(reward === undefined ? {} : { rewardMicro: numberToMicro(reward) }),
      ...(expiresAt === undefined ? {} : { expiresAtMs: expiresAt === null ? null : Date.parse(expiresAt) }),
    };
    const updated = await catalogue.update(params.id, changes, { adminId: user.id, reason });
    sendCatalogue(now);
    return presentTask(updated);
  });

  http.route(taskEndpoints.remove, async ({ params, query: { reason }, user, now }) => {
    await catalogue.remove(params.id, { adminId: user.id, reason });
    sendCatalogue(now);
    return undefined;
  });
}

function presentClaims({ count, paidMicro, byTier }: ClaimedOfTask) {
  return {
    count,
    paid: microToNumber(paidMicro),
    byTier: [...byTier]
      .sort(([a], [b]) => Number(a - b))
      .map(([hundredths, claims]) => ({ multiplier: Number(hundredths) / 100, count: claims })),
  };
}

function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
