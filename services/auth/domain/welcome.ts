import { microToNumber } from '@cord/contracts/rules/money';
import type { UserDoc } from './user-doc.js';

/** The content of the welcome popup (services/auth/README.md#a-sign-in). */
interface WelcomeFacts {
  isNewUser: boolean;
  /** CORD already credited; 0 while it is pending, and for a returning user. */
  credited: number;
  /** CORD for an entered referral code; null while unknown, 0 without a code or when it was refused. */
  referralBonus: number | null;
  /** Whether a credit or the referral is pending. */
  pending: boolean;
}

/** Returns whether this session is the last sign-in: the greeting is shown only there, not in the user's other browsers. */
export function isGreeted({ greeting }: Pick<UserDoc, 'greeting'>, sessionId: string): boolean {
  return !greeting.acknowledged && greeting.sessionId === sessionId;
}

/** Returns the facts of the last sign-in for its own session; null once they were acknowledged. */
export function welcomeFacts(user: UserDoc, sessionId: string): WelcomeFacts | null {
  if (!isGreeted(user, sessionId)) return null;
  const { greeting, onboarding } = user;
  if (!greeting.isNewUser) return { isNewUser: false, credited: 0, referralBonus: 0, pending: false };
  const { welcomeState, welcomeMicro, referralState } = onboarding;
  return {
    isNewUser: true,
    credited: welcomeState === 'credited' ? microToNumber(welcomeMicro) : 0,
    referralBonus: referralBonus(onboarding),
    pending: welcomeState === 'pending' || referralState === 'pending',
  };
}

function referralBonus({ referralState, referralBonusMicro }: UserDoc['onboarding']): number | null {
  if (referralState === 'none' || referralState === 'refused') return 0;
  return referralBonusMicro === null ? null : microToNumber(referralBonusMicro);
}
