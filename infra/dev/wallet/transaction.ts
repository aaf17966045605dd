import { base58 } from './base58.mjs';

const SIGNATURE_BYTES = 64;
const ADDRESS_BYTES = 32;
const VERSIONED = 0x80;
const SYSTEM_PROGRAM = '1'.repeat(ADDRESS_BYTES);
const TRANSFER = 2;

/** Reads bytes one after the other. */
function reader(bytes, start = 0) {
  let at = start;
  return {
    get at() {
      return at;
    },
    byte: () => bytes[at++],
    take(length) {
      at += length;
      return bytes.slice(at - length, at);
    },
    /** Solana's compact-u16. */
    length() {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++];
        value |= (byte & 0x7f) << shift;
        if (byte < VERSIONED) return value;
      }
    },
  };
}

/**
 * A serialised transaction, legacy or version 0, taken apart.
 * @param {Uint8Array} bytes
 */
export function readTransaction(bytes) {
  const whole = reader(bytes);
  const signatures = whole.length();
  const signaturesAt = whole.at;
  const messageAt = signaturesAt + signatures * SIGNATURE_BYTES;
  const message = reader(bytes, messageAt);
  if (bytes[messageAt] >= VERSIONED) message.byte();
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

/** What it moves, for the eyes of who approves it: transfers of SOL, and how much else there is. */
export function describe({ instructions }) {
  const transfers = instructions.filter(isTransfer).map(({ accounts, data }) => ({
    to: accounts[1],
    lamports: Number(new DataView(data.buffer, data.byteOffset).getBigUint64(4, true)),
  }));
  return { transfers, others: instructions.length - transfers.length };
}

function isTransfer({ program, data }) {
  return program === SYSTEM_PROGRAM && data.length === 12 && data[0] === TRANSFER;
}

/** The transaction with that signer's signature in its place. @throws when it is not one of the signers */
export function withSignature(bytes, { signaturesAt, signers }, address, signature) {
  const index = signers.indexOf(address);
  if (index < 0) throw new Error('This account is not a signer of the transaction');
  const signed = bytes.slice();
  signed.set(signature, signaturesAt + index * SIGNATURE_BYTES);
  return signed;
}
