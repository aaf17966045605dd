import type { AnnouncedBook, RuleProposal } from '@cord/contracts/http/rules';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { at, SAMPLE_NOW_MS, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';
import { overviewSdk } from '../overview/overview.fixtures';

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(SAMPLE_NOW_MS + hours * HOUR_MS).toISOString();

const FIRST: AnnouncedBook = { ...FIRST_BOOK, announcedAtMs: null, reason: '', sooner: null };
const IN_FORCE: AnnouncedBook = {
  ...FIRST,
  version: 2,
  fromMs: SAMPLE_NOW_MS - 48 * HOUR_MS,
  checkinMicro: 48_000_000,
  announcedAtMs: SAMPLE_NOW_MS - 140 * HOUR_MS,
  reason: 'Check-ins paid more than they should',
};
const ANNOUNCED: AnnouncedBook = {
  ...IN_FORCE,
  version: 3,
  fromMs: SAMPLE_NOW_MS + 20 * HOUR_MS,
  baseNano: 600_000_000,
  announcedAtMs: SAMPLE_NOW_MS - HOUR_MS,
  reason: 'Mining pays more for everybody',
  sooner: 'The old rate pays too little by mistake',
};
/** The first rule book, the one in force, and an announced one. */
export const BOOKS: readonly AnnouncedBook[] = [FIRST, IN_FORCE, ANNOUNCED];

export function sampleProposal(n: number, changes: Partial<RuleProposal> = {}): RuleProposal {
  return {
    id: n.toString(16).padStart(32, 'a'),
    from: inHours(96),
    changes: { streakStepMicro: 4_500_000 },
    reason: 'Long streaks pay less',
    sooner: null,
    proposedBy: n.toString(16).padStart(32, 'e'),
    proposedAt: inHours(-n),
    ...changes,
  };
}

/** An sdk of an operator who has Rules open. The last proposal is their own. Decisions are kept. */
export function rulesSdk(options: TestSdkOptions = {}): TestSdk {
  const sdk = overviewSdk(options);
  const own = sdk.session.state.get().user?.id ?? '';
  const steps = { tiers: [...FIRST_BOOK.tiers.slice(0, 8), { fromYears: 10, hundredths: 900 }] };
  const books = [...BOOKS];
  let proposals = [
    sampleProposal(1),
    sampleProposal(2, { from: inHours(120), changes: steps, sooner: 'It was announced in April', proposedBy: own }),
  ];
  sdk.tabs.setParam('admin', 'view', 'rules');
  sdk.api
    .on(at.rules.rules, () => ({ books: [...books], epochs: [] }))
    .on(at.rules.proposals, () => ({ proposals }))
    .on(at.rules.propose, ({ body }) => {
      const { from = '', changes = {}, reason = '', sooner = null } = body ?? {};
      const made = sampleProposal(3, { from, changes, reason, sooner, proposedBy: own });
      proposals = [...proposals, made];
      return made;
    })
    .on(at.rules.decide, ({ params, body }) => {
      const one = proposals.find(({ id }) => id === params?.id) as RuleProposal;
      proposals = proposals.filter(({ id }) => id !== one.id);
      if (body?.decision === 'confirm') {
        const announced = { reason: one.reason, sooner: one.sooner, announcedAtMs: SAMPLE_NOW_MS };
        const numbers = { ...books.at(-1), ...one.changes } as AnnouncedBook;
        books.push({ ...numbers, ...announced, version: books.length + 1, fromMs: Date.parse(one.from) });
      }
      return { proposals };
    });
  return sdk;
}
