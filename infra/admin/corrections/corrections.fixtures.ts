import type { Correction } from '@cord/contracts/http/corrections';
import { at, SAMPLE_NOW_MS, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';
import { overviewSdk } from '../overview/overview.fixtures';

const HOUR_MS = 3_600_000;
const agoOf = (hours: number) => new Date(SAMPLE_NOW_MS - hours * HOUR_MS).toISOString();

export function sampleCorrection(n: number, changes: Partial<Correction> = {}): Correction {
  return {
    id: n.toString(16).padStart(32, 'a'),
    userId: n.toString(16).padStart(32, 'f'),
    amount: -2_400,
    reason: 'Mined while the clock of a server was a year ahead',
    state: 'open',
    proposedBy: n.toString(16).padStart(32, 'e'),
    proposedAt: agoOf(n),
    decidedBy: null,
    decidedAt: null,
    booked: false,
    ...changes,
  };
}

/** An sdk of an operator who has Corrections open. The last proposal is their own. Decisions are kept. */
export function correctionsSdk(options: TestSdkOptions = {}): TestSdk {
  const sdk = overviewSdk(options);
  const own = sdk.session.state.get().user?.id ?? '';
  const listed = [
    sampleCorrection(1),
    sampleCorrection(2, { amount: 150, reason: 'A check-in was lost', proposedBy: own }),
  ];
  const all = new Map(listed.map((one) => [one.id, one]));
  sdk.tabs.setParam('admin', 'view', 'corrections');
  sdk.api
    .on(at.corrections.list, ({ query }) => ({
      corrections: [...all.values()].filter(({ state }) => state === (query?.state ?? 'open')),
      nextCursor: null,
    }))
    .on(at.corrections.decide, ({ params, body }) => {
      const before = all.get(params?.id ?? '') as Correction;
      const confirms = body?.decision === 'confirm';
      const state = confirms ? ('confirmed' as const) : ('withdrawn' as const);
      const after = { ...before, state, decidedBy: own, decidedAt: agoOf(0), booked: confirms };
      all.set(after.id, after);
      return after;
    });
  return sdk;
}
