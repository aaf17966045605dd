import { base58 } from './base58.js';

const SIGNATURE_BYTES = 64;
const ADDRESS_BYTES = 32;
const VERSIONED = 0x80;
const SYSTEM_PROGRAM = '1'.repeat(ADDRESS_BYTES);
const TRANSFER = 2;

/** Reads bytes in sequence. */
function reader(bytes: Uint8Array, start = 0) {
  let at = start;
  const byte = () => {
    const read = bytes[at++];
    if (read === undefined) throw new Error('The transaction is truncated');
    return read;
  };
  return {
    get at() {
      return at;
    },
    byte,
    take(length: number) {
      at += length;
      return bytes.slice(at - length, at);
    },
    /** Reads a length in Solana's compact-u16 form. */
    length() {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const next = byte();
        value |= (next & 0x7f) << shift;
        if (next < VERSIONED) return value;
      }
    },
  };
}

/** Addresses of an instruction; those from a lookup table are unknown here. */
interface Instruction {
  program: string | undefined;
  accounts: (string | undefined)[];
  data: Uint8Array;
}

/** A parsed transaction. */
export interface TransactionRead {
  /** Offset of its first signature, in bytes. */
  signaturesAt: number;
  message: Uint8Array<ArrayBuffer>;
  signers: string[];
  instructions: Instruction[];
}

/** @param bytes a serialised transaction, legacy or version 0 */
export function readTransaction(bytes: Uint8Array<ArrayBuffer>): TransactionRead {
  const whole = reader(bytes);
  const signatures = whole.length();
  const signaturesAt = whole.at;
  const messageAt = signaturesAt + signatures * SIGNATURE_BYTES;
  const message = reader(bytes, messageAt);
  if ((bytes[messageAt] ?? 0) >= VERSIONED) message.byte();
  const signers = message.byte();
  message.take(2);
  const addresses = Array.from({ length: message.length() }, () => base58(message.take(ADDRESS_BYTES)));
  message.take(ADDRESS_BYTES);
  const instructions = Array.from({ length: message.length() }, () => ({
    program: addresses[message.byte()],
    accounts: Array.from(message.take(message.length()), (index) => addresses[index]),
    data: message.take(message.length()),
  }));
  return { signaturesAt, message: bytes.slice(messageAt), signers: addresses.slice(0, signers), instructions };
}

/** Describes a transaction for its approval: transfers of SOL, and the number of other instructions. */
export function describe({ instructions }: Pick<TransactionRead, 'instructions'>): {
  transfers: { to: string | undefined; lamports: number }[];
  others: number;
} {
  const transfers = instructions.filter(isTransfer).map(({ accounts, data }) => ({
    to: accounts[1],
    lamports: Number(new DataView(data.buffer, data.byteOffset).getBigUint64(4, true)),
  }));
  return { transfers, others: instructions.length - transfers.length };
}

function isTransfer({ program, data }: Instruction): boolean {
  return program === SYSTEM_PROGRAM && data.length === 12 && data[0] === TRANSFER;
}

/** Adds a signer's signature to the transaction. @throws when the address is not one of the signers */
export function withSignature(
  bytes: Uint8Array<ArrayBuffer>,
  { signaturesAt, signers }: Pick<TransactionRead, 'signaturesAt' | 'signers'>,
  address: string,
  signature: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const index = signers.indexOf(address);
  if (index < 0) throw new Error('This account is not a signer of the transaction');
  const signed = bytes.slice();
  signed.set(signature, signaturesAt + index * SIGNATURE_BYTES);
  return signed;
}
