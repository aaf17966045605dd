import { isAddress } from '@solana/kit';
import { VersionedMessage } from '@solana/web3.js';
import { z } from 'zod';
import { base58 } from './base58.js';
import type { Chain } from './chain.js';
import { BAD_PARAMS, type Methods, RpcError } from './json-rpc.js';
import { feeOf } from './machine.js';
import { BLOCKHASH_SLOTS, type Commitment } from './slots.js';
import { signatureLine, statusOf, transactionAnswer } from './transaction-answer.js';

const LISTED_MAX = 1_000;
const STATUSES_MAX = 256;
const AIRDROP_MAX_LAMPORTS = 1_000_000_000_000;

const key = z.string().refine(isAddress, 'must be a public key');
const signature = z.string().min(64).max(88);
const commitment = z.enum(['processed', 'confirmed', 'finalized']).default('finalized');
const options = <S extends z.ZodRawShape>(shape: S) => z.looseObject({ commitment, ...shape }).prefault({} as never);
const wireOptions = {
  encoding: z.enum(['base58', 'base64']).default('base58'),
  skipPreflight: z.boolean().default(false),
  sigVerify: z.boolean().default(false),
  replaceRecentBlockhash: z.boolean().default(false),
};

/** The JSON-RPC methods of Solana that wallets and rewards use; any other is "Method not found". */
export function methodsOf(chain: Chain): Methods {
  const { slots } = chain;
  const inContext = <T>(value: T, at: Commitment = 'processed') => ({
    context: { apiVersion: '2.0.0', slot: slots.at(at) },
    value,
  });
  const accountOf = (address: string) => {
    const account = chain.account(address);
    if (!account) return null;
    const { data, ...rest } = account;
    return { ...rest, data: [Buffer.from(data).toString('base64'), 'base64'], rentEpoch: 0, space: data.length };
  };
  return {
    getHealth: () => 'ok',
    getVersion: () => ({ 'solana-core': '2.0.0', 'feature-set': 0 }),
    getGenesisHash: () => slots.genesisHash,
    getSlot: ([given]) => slots.at(options({}).parse(given).commitment),
    getBlockHeight: ([given]) => slots.at(options({}).parse(given).commitment),
    getFirstAvailableBlock: () => 0,
    getBlockTime: ([slot]) => slots.blockTime(z.number().int().min(0).parse(slot)),
    getLatestBlockhash: ([given]) => {
      const { commitment: at } = options({}).parse(given);
      const slot = slots.at(at);
      return inContext({ blockhash: slots.blockhash(slot), lastValidBlockHeight: slot + BLOCKHASH_SLOTS }, at);
    },
    isBlockhashValid: ([hash]) => inContext(slots.isValid(z.string().parse(hash))),
    getBalance: ([address]) => inContext(chain.balance(key.parse(address))),
    getMinimumBalanceForRentExemption: ([bytes]) =>
      chain.rentFree(z.number().int().min(0).max(10_485_760).parse(bytes)),
    getFeeForMessage: ([message]) => {
      const read = VersionedMessage.deserialize(Buffer.from(z.string().parse(message), 'base64'));
      return inContext(slots.isValid(read.recentBlockhash) ? feeOf(read) : null);
    },
    getAccountInfo: ([address]) => inContext(accountOf(key.parse(address))),
    sendTransaction: ([text, given]) => {
      const { encoding, skipPreflight } = options(wireOptions).parse(given);
      return chain.send(wireOf(text, encoding), skipPreflight);
    },
    simulateTransaction: ([text, given]) => {
      const { encoding, sigVerify, replaceRecentBlockhash } = options(wireOptions).parse(given);
      const { err, logs, computeUnits } = chain.simulate(wireOf(text, encoding), {
        verifySignatures: sigVerify,
        replaceBlockhash: replaceRecentBlockhash,
      });
      return inContext({ err, logs, accounts: null, unitsConsumed: computeUnits, returnData: null });
    },
    getSignatureStatuses: ([list]) =>
      inContext(
        z
          .array(signature)
          .max(STATUSES_MAX)
          .parse(list)
          .map((one) => statusOf(slots, chain.transaction(one, 'processed'))),
      ),
    getSignaturesForAddress: ([address, given]) => {
      const { limit, before, until, ...at } = options({
        limit: z.number().int().min(1).max(LISTED_MAX).default(LISTED_MAX),
        before: signature.nullish(),
        until: signature.nullish(),
      }).parse(given);
      const all = chain.transactionsOf(key.parse(address), settled(at.commitment));
      const from = before ? all.findIndex((one) => one.signature === before) + 1 : 0;
      const to = until ? all.findIndex((one) => one.signature === until) : -1;
      return all
        .slice(from, to === -1 ? undefined : to)
        .slice(0, limit)
        .map((one) => signatureLine(slots, one));
    },
    getTransaction: ([one, given]) => {
      const { encoding, maxSupportedTransactionVersion, ...at } = options({
        encoding: z.enum(['json', 'base64']).default('json'),
        maxSupportedTransactionVersion: z.number().optional(),
      }).parse(typeof given === 'string' ? { encoding: given } : given);
      const landed = chain.transaction(signature.parse(one), settled(at.commitment));
      return landed && transactionAnswer(slots, landed, { encoding, maxVersion: maxSupportedTransactionVersion });
    },
    requestAirdrop: ([address, lamports]) => {
      chain.airdrop(key.parse(address), z.number().int().min(1).max(AIRDROP_MAX_LAMPORTS).parse(lamports));
      return slots.genesisHash;
    },
  };
}

/** History is only available from confirmed on. */
function settled(at: Commitment): Commitment {
  return at === 'processed' ? 'confirmed' : at;
}

function wireOf(text: unknown, encoding: 'base58' | 'base64'): Uint8Array {
  const given = z.string().max(4_096).parse(text);
  try {
    return encoding === 'base64' ? new Uint8Array(Buffer.from(given, 'base64')) : base58.decode(given);
  } catch {
    throw new RpcError(BAD_PARAMS, `invalid ${encoding} encoding`);
  }
}
