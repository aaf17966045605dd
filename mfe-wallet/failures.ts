import { ApiError, messageOf, type TextsOf } from '@cord/sdk';
import { formatSol, shortenAddress } from '@cord/ui';
import type { TEXTS } from './texts';

/** The networks of a wallet, by their Wallet Standard names. */
export type ChainId = 'solana:mainnet' | 'solana:devnet' | 'solana:testnet' | 'solana:localnet';

/** The reasons for which a wallet request fails. Each has its own text and recovery. */
export type WalletProblem =
  /** The user closed the dialog: no error, nothing is shown. */
  | { kind: 'cancelled' }
  | { kind: 'rejected' | 'disconnected' | 'timeout' | 'refused' | 'unsupported' }
  /** On a phone: no wallet app responds, or this browser cannot reach one. */
  | { kind: 'not-found' | 'incompatible' }
  | { kind: 'wrong-network'; network: ChainId }
  /** Lamports in the wallet, and lamports of the payment with its fee. */
  | { kind: 'not-enough'; has: number; needs: number }
  | { kind: 'account-changed'; address: string }
  /** The session with the wallet broke after the request to send: whether it was sent is unknown. */
  | { kind: 'lost' }
  /** The network refused the payment. */
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

/** The text of a failed purchase or connection; null if the user closed the dialog. */
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

/** Whether the payment may have been sent all the same; then its order is checked while the message is shown. */
export function mayBePaid(error: unknown): boolean {
  return error instanceof WalletFailure && error.problem.kind === 'lost';
}

/** Whether the user declined in the wallet: not a failure, and the purchase is offered as before. */
export function isDeclined(error: unknown): boolean {
  return error instanceof WalletFailure && error.problem.kind === 'rejected';
}

/** Problems that another wallet, or reconnecting the same one, can solve. */
const OUT_BY_WALLET: ReadonlySet<WalletProblem['kind']> = new Set([
  'disconnected',
  'not-enough',
  'unsupported',
  'wrong-network',
]);

/** Whether the recovery is to change the wallet. */
export function wantsOtherWallet(error: unknown): boolean {
  return error instanceof WalletFailure && OUT_BY_WALLET.has(error.problem.kind);
}
