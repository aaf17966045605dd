import { bytesOfBase58, toBase64 } from './base58.js';
import {
  currentKey,
  type Key,
  type Keyring,
  openKeyring,
  readKeyring,
  STORAGE_KEY,
  sign,
  writeKeyring,
} from './keyring.js';
import { type Account, lend, type Wallet } from './register.js';
import { describe, readTransaction, withSignature } from './transaction.js';
import { type Approval, approve } from './window.js';

const ADDRESS_BYTES = 32;

/** The error of a wallet when its user declines. */
class Rejected extends Error {
  code = 4001;
  constructor() {
    super('User rejected the request.');
  }
}

/** A transaction to sign, in the form of the Wallet Standard. */
interface ToSign {
  transaction: Uint8Array<ArrayBuffer>;
  account: Account;
  options?: { preflightCommitment?: string };
}

/** The current account of the keyring, in the form of the Wallet Standard. */
function accountOf(wallet: Wallet, keyring: Keyring): Account {
  const { address, name } = currentKey(keyring);
  const features = Object.keys(wallet.features).filter((feature) => feature.startsWith('solana:'));
  return { address, publicKey: bytesOfBase58(address, ADDRESS_BYTES), chains: [keyring.chain], features, label: name };
}

function lendCurrent(wallet: Wallet) {
  const keyring = readKeyring();
  lend(keyring.connected && keyring.keys.length > 0 ? [accountOf(wallet, keyring)] : []);
}

let watching = false;
/** Follows changes of account or network by another tab or the wallet's own page. */
function watch(wallet: Wallet) {
  if (watching) return;
  watching = true;
  window.addEventListener('storage', ({ key }) => key === STORAGE_KEY && lendCurrent(wallet));
}

export async function connect(wallet: Wallet, { silent = false } = {}): Promise<Pick<Wallet, 'accounts'>> {
  watch(wallet);
  const keyring = await openKeyring();
  if (!keyring.connected) {
    if (silent) return { accounts: [] };
    await approved({ title: 'Connect to CORD', text: 'CORD requests the address of this account.', choose: true });
    writeKeyring({ ...readKeyring(), connected: true });
  }
  lendCurrent(wallet);
  return { accounts: wallet.accounts };
}

export async function disconnect(): Promise<void> {
  writeKeyring({ ...readKeyring(), connected: false });
  lend([]);
}

export async function signTransaction(
  _wallet: Wallet,
  ...inputs: ToSign[]
): Promise<{ signedTransaction: Uint8Array }[]> {
  const signed = [];
  for (const { transaction, account } of inputs) {
    signed.push({ signedTransaction: await signOne(transaction, account) });
  }
  return signed;
}

export async function signAndSendTransaction(
  _wallet: Wallet,
  ...inputs: ToSign[]
): Promise<{ signature: Uint8Array }[]> {
  const sent = [];
  for (const { transaction, account, options } of inputs) {
    const signed = await signOne(transaction, account);
    const { signaturesAt } = readTransaction(signed);
    await send(signed, options);
    sent.push({ signature: signed.slice(signaturesAt, signaturesAt + 64) });
  }
  return sent;
}

export async function signMessage(
  _wallet: Wallet,
  ...inputs: { message: Uint8Array<ArrayBuffer>; account: Account }[]
): Promise<{ signedMessage: Uint8Array; signature: Uint8Array }[]> {
  const signed = [];
  for (const { message, account } of inputs) {
    const text = new TextDecoder().decode(message);
    await approved({ title: 'Sign a message', text, lines: [] });
    signed.push({ signedMessage: message, signature: await sign(keyOf(account), message) });
  }
  return signed;
}

async function signOne(transaction: Uint8Array<ArrayBuffer>, account: Account) {
  const read = readTransaction(transaction);
  const { transfers, others } = describe(read);
  await approved({
    title: 'Approve a payment',
    text: others > 0 ? `And ${others} more instructions.` : '',
    lines: transfers.map(({ to, lamports }) => [`${lamports / 1e9} SOL`, `to ${to}`]),
  });
  const key = keyOf(account);
  return withSignature(transaction, read, key.address, await sign(key, read.message));
}

function keyOf(account: Account): Key {
  const key = readKeyring().keys.find(({ address }) => address === account.address);
  if (!key) throw new Error('This account was removed from the wallet');
  return key;
}

async function approved(request: Approval) {
  if (!(await approve(request))) throw new Rejected();
}

/** Sends through the page's RPC proxy: the wallet has no other access to the network. */
async function send(transaction: Uint8Array, options: NonNullable<ToSign['options']> = {}) {
  const params = [toBase64(transaction), { encoding: 'base64', preflightCommitment: options.preflightCommitment }];
  const response = await fetch('/api/rpc', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params }),
  });
  const { error } = await response.json();
  if (!response.ok || error) throw new Error(error?.message ?? error ?? 'The network did not respond');
}
