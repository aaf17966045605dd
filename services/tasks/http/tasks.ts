import { taskEndpoints } from '@cord/contracts/http/tasks';
import { microToNumber, numberToMicro } from '@cord/contracts/rules/money';
import type { Http } from '@cord/kit/http';
import type { Live } from '@cord/kit/live';
import type { Switches } from '@cord/kit/switches';
import type { Catalogue } from '../catalogue.js';
import type { ClaimMade, Claims } from '../claims.js';
import { presentTask, presentUserTask } from './present.js';

/** The catalogue for everyone, its upkeep for admins, and each user's own progress and claims. */
export function taskRoutes(
  http: Http,
  catalogue: Catalogue,
  claims: Claims,
  live: Pick<Live, 'tell' | 'tellAll'>,
  switches: Pick<Switches, 'demand'>,
): void {
  const tellCatalogue = (nowMs: number) => live.tellAll('tasks', { seq: String(nowMs) });

  http.route(taskEndpoints.list, async () => (await catalogue.all()).map(presentTask));

  http.route(taskEndpoints.byType, async ({ params }) =>
    (await catalogue.all()).filter((task) => task.type === params.type).map(presentTask),
  );

  http.route(taskEndpoints.get, async ({ params }) => presentTask(await catalogue.get(params.id)));

  http.route(taskEndpoints.create, async ({ body, user, now }) => {
    const { id, type, title, description, maxProgress, reward, measure, socialUrl, expiresAt, ...extra } = body;
    const task = {
      ...{ id, type, title, description, maxProgress, extra },
      rewardMicro: numberToMicro(reward),
      measure: measure ?? null,
      socialUrl: socialUrl ?? null,
      expiresAtMs: expiresAt ? Date.parse(expiresAt) : null,
    };
    const created = await catalogue.create(task, { adminId: user.id });
    tellCatalogue(now);
    return presentTask(created);
  });

  http.route(taskEndpoints.update, async ({ params, body, user, now }) => {
    const { type, title, description, maxProgress, reward, measure, socialUrl, expiresAt, ...extra } = body;
    const changes = {
      ...given({ type, title, description, maxProgress, measure, socialUrl }),
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
      ...(reward === undefined ? {} : { rewardMicro: numberToMicro(reward) }),
      ...(expiresAt === undefined ? {} : { expiresAtMs: expiresAt === null ? null : Date.parse(expiresAt) }),
    };
    const updated = await catalogue.update(params.id, changes, { adminId: user.id });
    tellCatalogue(now);
    return presentTask(updated);
  });

  http.route(taskEndpoints.remove, async ({ params, user, now }) => {
    await catalogue.remove(params.id, { adminId: user.id });
    tellCatalogue(now);
    return undefined;
  });

  http.route(taskEndpoints.mine, async ({ params }) => {
    const view = await claims.viewOf(params.id);
    return view.catalogue.map((task) => presentUserTask(task, view));
  });

  http.route(taskEndpoints.visit, async ({ params, now }) => {
    const { visitedAtMs, isFirst } = await claims.visit(params.id, params.taskId);
    if (isFirst) live.tell('tasks', params.id, { seq: String(now) });
    return { success: true as const, visitedAt: new Date(visitedAtMs).toISOString() };
  });

  http.route(taskEndpoints.complete, async ({ params, cause }) => {
    await switches.demand('claims');
    return presentClaim(params.id, await claims.complete(params.id, params.taskId, cause));
  });

  http.route(taskEndpoints.completeB, async ({ params, user, cause }) => {
    await switches.demand('claims');
    return presentClaim(user.id, await claims.complete(user.id, params.id, cause));
  });
}

function presentClaim(userId: string, { rewardMicro, completed, credit }: ClaimMade) {
  const newBalance = credit ? microToNumber(credit.balanceMicro) : null;
  return {
    success: true as const,
    reward: microToNumber(rewardMicro),
    newBalance,
    pending: credit === null,
    updatedUser: { id: userId, tasks_completed: completed, ...presentCredit(credit) },
  };
}

/** The ledger's part of `updatedUser`. */
export function presentCredit(credit: ClaimMade['credit']) {
  if (!credit) return {};
  return { current_balance: microToNumber(credit.balanceMicro), balanceSeq: credit.seq.toString() };
}

function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
