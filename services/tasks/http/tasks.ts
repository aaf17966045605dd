import { taskEndpoints } from '@cord/contracts/http/tasks';
import { microToNumber } from '@cord/contracts/rules/money';
import type { Http } from '@cord/kit/http';
import { languageOf } from '@cord/kit/http/language';
import type { Live } from '@cord/kit/live';
import type { Switches } from '@cord/kit/switches';
import type { Catalogue } from '../catalogue.js';
import type { ClaimMade, Claims } from '../claims.js';
import { TASK_LANGUAGES } from '../domain/task-texts.js';
import { presentTask, presentUserTask } from './present.js';

/** Registers the routes of the catalogue, and of each user's own progress and claims. */
export function taskRoutes(
  http: Http,
  catalogue: Catalogue,
  claims: Claims,
  live: Pick<Live, 'send'>,
  switches: Pick<Switches, 'requireOn'>,
): void {
  const languageIn = (koa: Parameters<typeof languageOf>[0]) => languageOf(koa, TASK_LANGUAGES);

  http.route(taskEndpoints.list, async ({ koa }) =>
    (await catalogue.all()).map((task) => presentTask(task, languageIn(koa))),
  );

  http.route(taskEndpoints.byType, async ({ params, koa }) =>
    (await catalogue.all())
      .filter((task) => task.type === params.type)
      .map((task) => presentTask(task, languageIn(koa))),
  );

  http.route(taskEndpoints.get, async ({ params, koa }) =>
    presentTask(await catalogue.get(params.id), languageIn(koa)),
  );

  http.route(taskEndpoints.mine, async ({ params, koa }) => {
    const view = await claims.viewOf(params.id);
    return view.catalogue.map((task) => presentUserTask(task, view, languageIn(koa)));
  });

  http.route(taskEndpoints.visit, async ({ params, now }) => {
    const { visitedAtMs, isFirst } = await claims.visit(params.id, params.taskId);
    if (isFirst) live.send('tasks', params.id, { seq: String(now) });
    return { success: true as const, visitedAt: new Date(visitedAtMs).toISOString() };
  });

  http.route(taskEndpoints.complete, async ({ params }) => {
    await switches.requireOn('claims');
    return presentClaim(params.id, await claims.complete(params.id, params.taskId));
  });

  http.route(taskEndpoints.completeB, async ({ params, user }) => {
    await switches.requireOn('claims');
    return presentClaim(user.id, await claims.complete(user.id, params.id));
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
