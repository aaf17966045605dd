import type { Newcomer } from '@cord/contracts/rpc/referral';
import { inBatches } from '@cord/kit/batches';
import type { Caused } from '@cord/kit/cause';
import type { Turn } from '@cord/kit/periodic';
import { dueTimes } from '@cord/kit/store/due';
import type { Onboarding as OnboardingState, UserDoc } from '../domain/user-doc.js';
import { newcomerOf } from '../domain/user-events.js';
import type { UserStore } from '../store/users.js';

type Progress = Partial<OnboardingState>;

/** The requests of a first sign-in to the ledger. Each call is idempotent; after an error it is retried later. */
export interface LedgerPort {
  open(account: { userId: string; discordCreatedAtMs: number; joinedAtMs: number } & Caused): Promise<void>;
  creditWelcome(credit: { userId: string; key: string; amountMicro: bigint } & Caused): Promise<void>;
}

/** The request of a first sign-in to referrals; idempotent. An error means that there is no response yet. */
export interface ReferralPort {
  /** Creates the newcomer's own code and processes the code that they entered, if any. */
  takeIn(
    request: { userId: string; referralCode: string | null; newcomer: Newcomer } & Caused,
  ): Promise<ReferralOutcome>;
}

/** `credited` false: the link exists, the newcomer's bonus is pending; 0 while its amount is unknown. */
type ReferralOutcome = { linked: true; bonusMicro: bigint; credited: boolean } | { linked: false };

/** Completes first sign-ins: ledger account, welcome credit, entered referral code (services/mining/ledger/README.md#credit). */
export type Onboarding = ReturnType<typeof createOnboarding>;

/** First sign-ins per batch: each waits for other services. */
const SWEEP_BATCH = 16;
const RETRY_FIRST_MS = 1_000;
const RETRY_MOST_MS = 5 * 60_000;

export function createOnboarding(deps: {
  users: UserStore;
  ledger: LedgerPort;
  referrals: ReferralPort;
  now: () => number;
  onFailure: (userId: string, error: unknown) => void;
}) {
  const { users, ledger, referrals, now, onFailure } = deps;

  async function resume(user: UserDoc): Promise<UserDoc> {
    if (user.onboarding.dueAtMs === null) return user;
    let done: Progress = {};
    try {
      for (const step of [openLedger, creditWelcome, introduce]) {
        done = { ...done, ...(await step(user)) };
      }
    } catch (error) {
      onFailure(user._id, error);
    }
    return keep(user, done);
  }

  async function openLedger(user: UserDoc): Promise<Progress> {
    if (user.onboarding.ledgerOpened) return {};
    const { _id: userId, discordCreatedAtMs, joinedAtMs } = user;
    await ledger.open({ userId, discordCreatedAtMs, joinedAtMs });
    return { ledgerOpened: true };
  }

  async function creditWelcome(user: UserDoc): Promise<Progress> {
    const { welcomeState, welcomeKey: key, welcomeMicro: amountMicro } = user.onboarding;
    if (welcomeState !== 'pending') return {};
    await ledger.creditWelcome({ userId: user._id, key, amountMicro });
    return { welcomeState: 'credited' };
  }

  /** Sends every newcomer to referrals, so that the first record has their own code. Without an entered code nothing waits for it. */
  async function introduce(user: UserDoc): Promise<Progress> {
    const { referralCode, referralState } = user.onboarding;
    const isWaiting = referralCode !== null && referralState === 'pending';
    const outcome = await referrals.takeIn({
      userId: user._id,
      referralCode: isWaiting ? referralCode : null,
      newcomer: newcomerOf(user),
    });
    if (!isWaiting) return {};
    if (!outcome.linked) return { referralState: 'refused' };
    return {
      referralState: outcome.credited ? 'done' : 'pending',
      referralBonusMicro: outcome.credited || outcome.bonusMicro > 0n ? outcome.bonusMicro : null,
    };
  }

  /** One write for all steps: each is idempotent, so a crash before it only repeats requests. */
  async function keep(user: UserDoc, done: Progress): Promise<UserDoc> {
    const kept = await users.change(user._id, now(), ({ onboarding }) => {
      const after = { ...onboarding, ...done };
      return { set: { onboarding: { ...after, ...(isOpen(after) ? retryLater(after) : { dueAtMs: null }) } } };
    });
    return kept ?? user;
  }

  function retryLater({ tries }: OnboardingState): Progress {
    return { dueAtMs: now() + Math.min(RETRY_FIRST_MS * 2 ** Math.min(tries, 10), RETRY_MOST_MS), tries: tries + 1 };
  }

  async function resumeDue(userId: string): Promise<void> {
    const user = await users.byId(userId);
    if (user) await resume(user);
  }

  const sweep = (turn: Pick<Turn, 'lease'>): Promise<void> =>
    inBatches(turn, SWEEP_BATCH, () => ({
      read: (most, takes) => users.dueForOnboarding(dueTimes(now(), RETRY_MOST_MS), most, takes),
      each: resumeDue,
    }));

  return {
    /** Does the open steps and stores them; failed ones are retried later. Never throws for a peer's failure. */
    resume,
    sweep,
  };
}

/** Returns whether a step of the first sign-in is open. */
function isOpen({ ledgerOpened, welcomeState, referralState }: OnboardingState): boolean {
  return !ledgerOpened || welcomeState === 'pending' || referralState === 'pending';
}
