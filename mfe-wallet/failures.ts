import { ApiError, messageOf, type TextsOf } from '@cord/sdk';
import { formatSol, shortenAddress } from '@cord/ui';
import type { TEXTS } from './texts';

/** The networks a wallet may be on, by their Wallet Standard names. */
export type ChainId = 'solana:mainnet' | 'solana:devnet' | 'solana:testnet' | 'solana:localnet';

/** Why a wallet did not do what was requested. Each has its own text and a way on. */
export type WalletProblem =
  /** The user closed the dialog: no error, nothing is shown. */
  | { kind: 'cancelled' }
  | { kind: 'rejected' | 'disconnected' | 'timeout' | 'refused' | 'unsupported' }
  /** On a phone: no wallet app answers, or this browser cannot reach one. */
  | { kind: 'not-found' | 'incompatible' }
  | { kind: 'wrong-network'; network: ChainId }
  /** Lamports that the wallet has and that the payment takes with its fee. */
  | { kind: 'not-enough'; has: number; needs: number }
  | { kind: 'account-changed'; address: string }
  /** The line to the wallet broke after it was requested to send: nobody here knows whether it did. */
  | { kind: 'lost' }
  /** The network did not take the payment, and reported it. */
  | { kind: 'not-sent' }
  | { kind: 'network-away' }
  | { kind: 'other-tab' }
  | { kind: 'unavailable' }
  | { kind: 'unexpected'; message: string };

/** A wallet's refusal or failure, typed; `wallet` is its name. */
export class WalletFailure extends Error {
  override readonly name = 'WalletFailure';
  constructor(
    readonly problem: WalletProblem,
    readonly wallet: string,
    cause?: unknown,
  ) {
    super(problem.kind, { cause });
  }
}

/** What the page shows of a failed purchase or connection; null when the user closed it. */
export function failureText(t: TextsOf<typeof TEXTS>, error: unknown): string | null {
  if (!(error instanceof WalletFailure)) {
    return error instanceof ApiError && error.kind !== 'http' ? t.purchaseError : messageOf(error, t.purchaseError);
  }
  const { problem, wallet } = error;
  switch (problem.kind) {
    case 'cancelled':
    case 'not-found':
    case 'incompatible':
      return null;
    case 'rejected':
      return t.rejected({ wallet });
    case 'disconnected':
      return t.disconnected({ wallet });
    case 'timeout':
      return t.connectTimeout({ wallet });
    case 'refused':
      return t.connectRefused({ wallet });
    case 'unsupported':
      return t.unsupported({ wallet });
    case 'wrong-network':
      return t.wrongNetwork({ wallet, network: t[`network.${problem.network}`] });
    case 'not-enough':
      return t.notEnough({ wallet, has: formatSol(problem.has), needs: formatSol(problem.needs) });
    case 'account-changed':
      return t.accountChanged({ wallet, address: shortenAddress(problem.address) });
    case 'lost':
      return t.lost({ wallet });
    case 'not-sent':
      return t.notSent;
    case 'network-away':
      return t.networkAway;
    case 'other-tab':
      return t.otherTab;
    case 'unavailable':
      return t.unavailable;
    case 'unexpected':
      return t.unexpected({ wallet, message: problem.message });
  }
}

/** Whether the payment may have been sent all the same; then its order is looked up as long as that is shown. */
export function mayBePaid(error: unknown): boolean {
  return error instanceof WalletFailure && error.problem.kind === 'lost';
}

/** Whether the user declined in the wallet: nothing failed, and the purchase is offered as before. */
export function isDeclined(error: unknown): boolean {
  return error instanceof WalletFailure && error.problem.kind === 'rejected';
}

/** Problems that another wallet, or the same one connected anew, gets out of. */
const OUT_BY_WALLET: ReadonlySet<WalletProblem['kind']> = new Set([
  'disconnected',
  'not-enough',
  'unsupported',
  'wrong-network',
]);

/** Whether the way on is to change the wallet. */
export function wantsOtherWallet(error: unknown): boolean {
  return error instanceof WalletFailure && OUT_BY_WALLET.has(error.problem.kind);
}
