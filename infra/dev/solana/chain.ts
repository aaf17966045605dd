import { randomBytes } from 'node:crypto';
import { VersionedTransaction } from '@solana/web3.js';
import { base58 } from './base58.js';
import { Faults } from './faults.js';
import { Journal, type Landed, type Line, type TransactionError } from './journal.js';
import { feeOf, Machine, type Outcome } from './machine.js';
import { type Commitment, DEPTH_OF, Slots } from './slots.js';

/** Maximum number of held transactions. */
const HELD_MAX = 1_000;
/** The error of an instruction that a fault makes fail. */
const FORCED_ERROR: TransactionError = { InstructionError: [0, { Custom: 1 }] };

/** A refused transaction, with the error for JSON-RPC. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly err: TransactionError,
    readonly outcome: Outcome | null = null,
  ) {
    super(message);
  }
}

interface Sent {
  signature: string;
  wire: Uint8Array;
  transaction: VersionedTransaction;
}

/** The Solana chain of this machine: transactions and their commitment. The journal has all that landed. */
export class Chain {
  readonly faults = new Faults();
  readonly slots: Slots;
  #machine = new Machine();
  readonly #journal: Journal;
  readonly #landed = new Map<string, Landed>();
  readonly #byKey = new Map<string, Landed[]>();
  #held: Sent[] = [];

  private constructor(journal: Journal, slots: Slots) {
    this.#journal = journal;
    this.slots = slots;
  }

  /** @param file of the journal, which is replayed */
  static open(file: string, now: () => number): Chain {
    const journal = Journal.open(file);
    const known = journal.lines.find((line) => line.kind === 'genesis');
    const genesis = known ?? { kind: 'genesis' as const, hash: base58.encode(randomBytes(32)), atMs: now() };
    if (!known) journal.append(genesis);
    const chain = new Chain(journal, new Slots(genesis.hash, genesis.atMs, now));
    chain.#replay();
    for (const line of journal.lines) if (line.kind === 'transaction') chain.#index(line);
    return chain;
  }

  /**
   * Accepts a signed transaction. It lands at once, unless a fault prevents it; one with an expired blockhash is dropped.
   * @returns its signature, which does not guarantee that it lands
   * @throws Refused with the preflight error
   */
  send(wire: Uint8Array, skipPreflight: boolean): string {
    const sent = read(wire);
    const already = this.#landed.has(sent.signature);
    if (!skipPreflight) this.#preflight(sent, already);
    if (already || this.#held.some(({ signature }) => signature === sent.signature)) return sent.signature;
    if (this.faults.take('drop')) return sent.signature;
    if (this.faults.take('hold')) {
      if (this.#held.length < HELD_MAX) this.#held.push(sent);
      return sent.signature;
    }
    this.#land(sent, this.faults.take('fail'));
    return sent.signature;
  }

  /** Simulates a transaction, which may be unsigned. */
  simulate(wire: Uint8Array, options: { verifySignatures: boolean; replaceBlockhash: boolean }): Outcome {
    const { transaction } = read(wire);
    if (!options.replaceBlockhash && !this.slots.isValid(transaction.message.recentBlockhash)) {
      return { err: 'BlockhashNotFound', logs: [], computeUnits: 0 };
    }
    return this.#machine.simulate(wire, options.verifySignatures);
  }

  /** Ends all faults. Held transactions land now, or are dropped when their blockhash has expired. */
  clearFaults(): void {
    this.faults.clear();
    const held = this.#held;
    this.#held = [];
    for (const sent of held) this.#land(sent, false);
  }

  airdrop(address: string, lamports: number): void {
    this.#machine.airdrop(address, lamports);
    this.#note({ kind: 'airdrop', address, lamports });
  }

  balance(address: string): number {
    return this.#machine.balance(address);
  }

  account(address: string) {
    return this.#machine.account(address);
  }

  rentFree(bytes: number): number {
    return this.#machine.rentFree(bytes);
  }

  /** Returns a transaction with at least that commitment. */
  transaction(signature: string, least: Commitment): Landed | null {
    const landed = this.#landed.get(signature);
    return landed && this.#isAtLeast(landed, least) ? landed : null;
  }

  /** Returns the transactions that name a key, newest first. */
  transactionsOf(key: string, least: Commitment): Landed[] {
    return (this.#byKey.get(key) ?? []).filter((landed) => this.#isAtLeast(landed, least)).reverse();
  }

  close(): void {
    this.#journal.close();
  }

  #isAtLeast({ slot }: Landed, least: Commitment): boolean {
    return this.slots.at('processed') - slot >= DEPTH_OF[least];
  }

  #preflight({ wire, transaction }: Sent, already: boolean): void {
    if (already) throw new Refused('This transaction has already been processed', 'AlreadyProcessed');
    if (!this.slots.isValid(transaction.message.recentBlockhash)) {
      throw new Refused('Blockhash not found', 'BlockhashNotFound');
    }
    const outcome = this.#machine.simulate(wire, true);
    if (outcome.err !== null) throw new Refused(errorText(outcome), outcome.err, outcome);
  }

  #land({ signature, wire, transaction }: Sent, forced: boolean): void {
    if (!this.slots.isValid(transaction.message.recentBlockhash)) return;
    const { all: keys, loaded } = this.#machine.keysOf(transaction);
    const balances = () => keys.map((key) => this.#machine.balance(key));
    const preBalances = balances();
    const outcome = this.#execute(wire, keys[0] ?? '', transaction, forced);
    if (!outcome.landed) return;
    this.#keep({
      signature,
      wire: Buffer.from(wire).toString('base64'),
      slot: this.slots.at('processed'),
      err: outcome.err,
      forced,
      feeLamports: feeOf(transaction.message),
      keys,
      loaded,
      preBalances,
      postBalances: balances(),
      logs: outcome.logs,
      computeUnits: outcome.computeUnits,
    });
  }

  #execute(wire: Uint8Array, payer: string, { message }: VersionedTransaction, forced: boolean) {
    if (!forced) return this.#machine.execute(wire);
    this.#machine.payFee(payer, feeOf(message));
    return {
      landed: true,
      err: FORCED_ERROR,
      logs: ['A fault of local mode made this transaction fail'],
      computeUnits: 0,
    };
  }

  #keep(landed: Landed): void {
    this.#note({ kind: 'transaction', ...landed });
    this.#index(landed);
  }

  /** Appends to the journal. After a failed append the machine is rebuilt from the journal. @throws Error as `Journal.append` */
  #note(line: Line): void {
    try {
      this.#journal.append(line);
    } catch (error) {
      this.#machine = new Machine();
      this.#replay();
      throw error;
    }
  }

  #index(landed: Landed): void {
    this.#landed.set(landed.signature, landed);
    for (const key of new Set(landed.keys)) {
      const known = this.#byKey.get(key);
      if (known) known.push(landed);
      else this.#byKey.set(key, [landed]);
    }
  }

  #replay(): void {
    for (const line of this.#journal.lines) {
      if (line.kind === 'airdrop') this.#machine.airdrop(line.address, line.lamports);
      if (line.kind !== 'transaction') continue;
      const { wire, transaction } = read(Buffer.from(line.wire, 'base64'));
      this.#execute(wire, line.keys[0] ?? '', transaction, line.forced);
    }
  }
}

/** @throws RangeError for bytes that are not a transaction */
function read(wire: Uint8Array): Sent {
  try {
    const transaction = VersionedTransaction.deserialize(wire);
    const [first] = transaction.signatures;
    if (!first) throw new Error('not signed');
    return { signature: base58.encode(first), wire: new Uint8Array(wire), transaction };
  } catch (err) {
    throw new RangeError('failed to deserialize the transaction', { cause: err });
  }
}

function errorText({ err, logs }: Outcome): string {
  const text = typeof err === 'string' ? err : JSON.stringify(err);
  return `Transaction simulation failed: ${text}. ${logs.at(-1) ?? ''}`.trim();
}
