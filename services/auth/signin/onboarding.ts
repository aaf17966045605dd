import type { UserDoc, UserStore } from '../store/users.js';

/** What a first sign-in asks of the ledger. Each call is idempotent; a throw means: try again later. */
export interface LedgerPort {
  open(account: { userId: string; discordCreatedAtMs: number; nowMs: number }): Promise<void>;
  creditWelcome(credit: { userId: string; key: string; amountMicro: bigint }): Promise<void>;
}

/** What a first sign-in asks of referrals; idempotent. A throw means: no answer yet. */
export interface ReferralPort {
  process(request: { userId: string; referralCode: string }): Promise<ReferralOutcome>;
}

/** `credited` false: the link stands, the newcomer's bonus is on its way, 0 while its amount is unknown. */
export type ReferralOutcome = { linked: true; bonusMicro: bigint; credited: boolean } | { linked: false };

/** Finishes first sign-ins: ledger account, welcome credit, carried referral code (money.md, Credit). */
export interface Onboarding {
  /** Does what is still open and stores each step; what fails stays open and due again. Never throws for a peer's failure. */
  resume(user: UserDoc): Promise<UserDoc>;
  /** Resumes what fell due, 64 at a time, until nothing is due. */
  sweep(): Promise<void>;
}

const SWEEP_BATCH = 64;
const RETRY_FIRST_MS = 1_000;
const RETRY_MOST_MS = 5 * 60_000;

export function createOnboarding(deps: {
  users: UserStore;
  ledger: LedgerPort;
  referrals: ReferralPort;
  now: () => number;
  onFailure: (userId: string, error: unknown) => void;
}): Onboarding {
  const { users, ledger, referrals, now, onFailure } = deps;

  async function resume(user: UserDoc): Promise<UserDoc> {
    if (user.onboarding.dueAtMs === null) return user;
    let current = user;
    try {
      current = await openLedger(current);
      current = await creditWelcome(current);
      current = await processReferral(current);
    } catch (error) {
      onFailure(user._id, error);
    }
    return store(current, isOpen(current) ? retryLater(current) : { dueAtMs: null });
  }

  async function openLedger(user: UserDoc): Promise<UserDoc> {
    if (user.onboarding.ledgerOpened) return user;
    await ledger.open({ userId: user._id, discordCreatedAtMs: user.discordCreatedAtMs, nowMs: now() });
    return store(user, { ledgerOpened: true });
  }

  async function creditWelcome(user: UserDoc): Promise<UserDoc> {
    const { welcomeState, welcomeKey: key, welcomeMicro: amountMicro } = user.onboarding;
    if (welcomeState !== 'pending') return user;
    await ledger.creditWelcome({ userId: user._id, key, amountMicro });
    return store(user, { welcomeState: 'credited' });
  }

  async function processReferral(user: UserDoc): Promise<UserDoc> {
    const { referralCode, referralState } = user.onboarding;
    if (referralCode === null || referralState !== 'pending') return user;
    const outcome = await referrals.process({ userId: user._id, referralCode });
    if (!outcome.linked) return store(user, { referralState: 'refused' });
    return store(user, {
      referralState: outcome.credited ? 'done' : 'pending',
      referralBonusMicro: outcome.credited || outcome.bonusMicro > 0n ? outcome.bonusMicro : null,
    });
  }

  /** Stores a step by compare-and-set; a step that is stored twice says the same. */
  async function store(user: UserDoc, step: Partial<UserDoc['onboarding']>): Promise<UserDoc> {
    const stored = await users.change(user._id, now(), (latest) => ({
      set: { onboarding: { ...latest.onboarding, ...step } },
    }));
    return stored ?? user;
  }

  function retryLater(user: UserDoc): Partial<UserDoc['onboarding']> {
    const { tries } = user.onboarding;
    return { dueAtMs: now() + Math.min(RETRY_FIRST_MS * 2 ** Math.min(tries, 10), RETRY_MOST_MS), tries: tries + 1 };
  }

  async function sweep(): Promise<void> {
    for (;;) {
      const due = await users.dueForOnboarding(now(), SWEEP_BATCH);
      for (const user of due) await resume(user);
      if (due.length < SWEEP_BATCH) return;
    }
  }

  return { resume, sweep };
}

/** Whether a part of the first sign-in is still to be done. */
export function isOpen({ onboarding }: Pick<UserDoc, 'onboarding'>): boolean {
  const { ledgerOpened, welcomeState, referralState } = onboarding;
  return !ledgerOpened || welcomeState === 'pending' || referralState === 'pending';
}
