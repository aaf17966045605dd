import { type Address, getTransactionDecoder, type Lamports, lamports } from '@solana/kit';
import { AddressLookupTableAccount, type VersionedTransaction } from '@solana/web3.js';
import { FailedTransactionMetadata, LiteSVM } from 'litesvm';
import type { TransactionError } from './journal.js';

const FEE_PER_SIGNATURE = 5_000;

export interface Outcome {
  err: TransactionError | null;
  logs: string[];
  computeUnits: number;
}

/** Addresses of a transaction's accounts: its own keys, then those loaded from lookup tables. */
export interface Keys {
  all: string[];
  loaded: { writable: string[]; readonly: string[] };
}

/** The Solana runtime itself. Slots checks blockhashes and Chain detects duplicates, so both checks are off here. */
export class Machine {
  readonly #svm = new LiteSVM().withBlockhashCheck(false).withTransactionHistory(0n);

  /** Executes a transaction; `landed` is false for one that never gets onto the chain (no fee paid). */
  execute(wire: Uint8Array): Outcome & { landed: boolean } {
    const result = this.#svm.sendTransaction(getTransactionDecoder().decode(wire));
    const outcome = outcomeOf(result);
    return { ...outcome, landed: outcome.err === null || isPaidFailure(outcome.err) };
  }

  /** Simulates a transaction. @param verifySignatures off for a wallet that simulates before it signs */
  simulate(wire: Uint8Array, verifySignatures: boolean): Outcome {
    this.#svm.withSigverify(verifySignatures);
    const result = this.#svm.simulateTransaction(getTransactionDecoder().decode(wire));
    this.#svm.withSigverify(true);
    return outcomeOf(result instanceof FailedTransactionMetadata ? result : result.meta());
  }

  /** Charges the fee of a transaction that a fault makes fail. */
  payFee(payer: string, fee: number): void {
    const account = this.#svm.getAccount(payer as Address);
    if (!account.exists) return;
    const left = account.lamports - BigInt(fee);
    this.#svm.setAccount({ ...account, lamports: lamports(left > 0n ? left : 0n) });
  }

  airdrop(address: string, amount: number): void {
    const result = this.#svm.airdrop(address as Address, BigInt(amount) as Lamports);
    if (result instanceof FailedTransactionMetadata) throw new Error(`airdrop failed: ${result.toString()}`);
  }

  balance(address: string): number {
    return Number(this.#svm.getBalance(address as Address) ?? 0n);
  }

  account(address: string): { lamports: number; owner: string; executable: boolean; data: Uint8Array } | null {
    const account = this.#svm.getAccount(address as Address);
    if (!account.exists) return null;
    const { lamports: amount, programAddress, executable, data } = account;
    return { lamports: Number(amount), owner: programAddress, executable, data: new Uint8Array(data) };
  }

  rentFree(bytes: number): number {
    return Number(this.#svm.minimumBalanceForRentExemption(BigInt(bytes)));
  }

  /** Resolves lookup tables in their current state. */
  keysOf({ message }: VersionedTransaction): Keys {
    const loaded: Keys['loaded'] = { writable: [], readonly: [] };
    for (const lookup of message.addressTableLookups) {
      const table = this.account(lookup.accountKey.toBase58());
      const addresses = table ? AddressLookupTableAccount.deserialize(table.data).addresses : [];
      const named = (indexes: number[]) => indexes.flatMap((index) => addresses[index]?.toBase58() ?? []);
      loaded.writable.push(...named(lookup.writableIndexes));
      loaded.readonly.push(...named(lookup.readonlyIndexes));
    }
    const own = message.staticAccountKeys.map((key) => key.toBase58());
    return { all: [...own, ...loaded.writable, ...loaded.readonly], loaded };
  }
}

export function feeOf({ header }: { header: { numRequiredSignatures: number } }): number {
  return header.numRequiredSignatures * FEE_PER_SIGNATURE;
}

function outcomeOf(result: ReturnType<LiteSVM['sendTransaction']>): Outcome {
  const failed = result instanceof FailedTransactionMetadata;
  const meta = failed ? result.meta() : result;
  const err = failed ? errorOf(result.toString()) : null;
  return { err, logs: meta.logs(), computeUnits: Number(meta.computeUnitsConsumed()) };
}

/** A transaction with a failed instruction is on the chain and has paid; one refused earlier is not there at all. */
function isPaidFailure(err: TransactionError): boolean {
  return typeof err === 'object' && 'InstructionError' in err;
}

/** Converts an error from Rust's form to JSON-RPC's: `InstructionError(0, Custom(1))` to `{"InstructionError":[0,{"Custom":1}]}`. */
function errorOf(printed: string): TransactionError {
  const text = /err: (.*?), meta: /.exec(printed)?.[1] ?? 'InstructionError(0, GenericError)';
  const instruction = /^InstructionError\((\d+), (\w+)(?:\((\d+)\))?\)$/.exec(text);
  if (!instruction) return /^\w+/.exec(text)?.[0] ?? text;
  const [, index, name = '', code] = instruction;
  return { InstructionError: [Number(index), code === undefined ? name : { [name]: Number(code) }] };
}
