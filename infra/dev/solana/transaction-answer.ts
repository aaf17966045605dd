import { VersionedTransaction } from '@solana/web3.js';
import { base58 } from './base58.js';
import type { Landed } from './journal.js';
import { RpcError } from './json-rpc.js';
import type { Slots } from './slots.js';

const UNSUPPORTED_VERSION = -32_015;

/** One entry of getSignatureStatuses. */
export function statusOf(slots: Slots, landed: Landed | null) {
  if (!landed) return null;
  const confirmationStatus = slots.commitmentOf(landed.slot);
  return {
    slot: landed.slot,
    confirmations: confirmationStatus === 'finalized' ? null : slots.at('processed') - landed.slot,
    err: landed.err,
    status: landed.err === null ? { Ok: null } : { Err: landed.err },
    confirmationStatus,
  };
}

/** One entry of getSignaturesForAddress. */
export function signatureLine(slots: Slots, { signature, slot, err }: Landed) {
  return {
    signature,
    slot,
    err,
    memo: null,
    blockTime: slots.blockTime(slot),
    confirmationStatus: slots.commitmentOf(slot),
  };
}

/** The response of getTransaction. @throws RpcError for a version that its caller does not support */
export function transactionAnswer(
  slots: Slots,
  landed: Landed,
  { encoding, maxVersion }: { encoding: 'json' | 'base64'; maxVersion: number | undefined },
) {
  const transaction = VersionedTransaction.deserialize(Buffer.from(landed.wire, 'base64'));
  const { version } = transaction;
  if (version !== 'legacy' && (maxVersion === undefined || maxVersion < version)) {
    throw new RpcError(
      UNSUPPORTED_VERSION,
      `Transaction version (${version}) is not supported by the requesting client`,
    );
  }
  return {
    slot: landed.slot,
    blockTime: slots.blockTime(landed.slot),
    version,
    transaction: encoding === 'base64' ? [landed.wire, 'base64'] : inJson(transaction),
    meta: {
      err: landed.err,
      status: landed.err === null ? { Ok: null } : { Err: landed.err },
      fee: landed.feeLamports,
      preBalances: landed.preBalances,
      postBalances: landed.postBalances,
      preTokenBalances: [],
      postTokenBalances: [],
      innerInstructions: [],
      logMessages: landed.logs,
      loadedAddresses: landed.loaded,
      rewards: [],
      computeUnitsConsumed: landed.computeUnits,
    },
  };
}

function inJson({ message, signatures, version }: VersionedTransaction) {
  const { header, staticAccountKeys, recentBlockhash, compiledInstructions, addressTableLookups } = message;
  return {
    signatures: signatures.map(base58.encode),
    message: {
      header: { ...header },
      accountKeys: staticAccountKeys.map((key) => key.toBase58()),
      recentBlockhash,
      instructions: compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
        programIdIndex,
        accounts: [...accountKeyIndexes],
        data: base58.encode(data),
        stackHeight: null,
      })),
      ...(version === 'legacy'
        ? {}
        : {
            addressTableLookups: addressTableLookups.map(({ accountKey, writableIndexes, readonlyIndexes }) => ({
              accountKey: accountKey.toBase58(),
              writableIndexes: [...writableIndexes],
              readonlyIndexes: [...readonlyIndexes],
            })),
          }),
    },
  };
}
