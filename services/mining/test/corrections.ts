import { correctionEndpoints as api, type Correction } from '@cord/contracts/http/corrections';
import { auditRpc } from '@cord/contracts/rpc/audit';
import { call } from '@cord/kit/testing/index';
import type { Fixture, TestUser } from './fixture.js';

export const CORD = 1_000_000n;

/** HTTP calls of operators for tests of corrections. */
export function correctionDesk(mining: Fixture) {
  const tokenOf = (by: string) => mining.signer.sign(by, { nowMs: mining.clock.now() });
  const urlOf = (replica = 0) => mining.replicas[replica]?.url ?? '';
  return {
    /** Adds an operator. @param sinceMs when the role began, ms since epoch */
    operator: (sinceMs?: number): Promise<string> => mining.signer.state.newOperator(sinceMs),
    propose: async (by: string, userId: string, body: object) =>
      call(urlOf(), api.propose, { params: { id: userId }, body, token: await tokenOf(by) }),
    decide: async (by: string, id: string, decision: string, replica = 0) =>
      call(urlOf(replica), api.decide, {
        params: { id },
        body: { decision, reason: 'Seen' },
        token: await tokenOf(by),
      }),
    list: async (by: string, state: Correction['state']): Promise<Correction[]> =>
      (await call(urlOf(), api.list, { query: { state, limit: 100 }, token: await tokenOf(by) })).body.corrections,
    /** Returns the actions of operators on a user from the audit log. */
    async actsOn(userId: string) {
      const request = { limit: 10, filter: { targets: [userId] } } as never;
      const { entries } = await mining.backend.nats.request(auditRpc('mining'), request);
      return entries
        .map(({ action, adminId, detail }) => ({ action, adminId, ...detail }))
        .sort((a, b) => a.action.localeCompare(b.action));
    },
    /** Creates a user with this balance, in CORD. */
    async userWith(cord: bigint): Promise<TestUser> {
      const user = await mining.newUser();
      if (cord > 0n) await mining.credit(user.id, 'task', `task:a:${user.id}:once`, cord * CORD);
      return user;
    },
  };
}
