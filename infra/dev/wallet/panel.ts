import { element } from './element.js';
import { addKey, currentKey, type Keyring, openKeyring, readKeyring, writeKeyring } from './keyring.js';

const NETWORKS = ['solana:localnet', 'solana:devnet', 'solana:testnet', 'solana:mainnet'];
const AIRDROP_SOL = 1;

/** Shows the account, network and balance, and gives free SOL. Part of the wallet's dialog and its own page. */
export async function panel(): Promise<HTMLElement> {
  await openKeyring();
  const place = element('div', { class: 'panel' });
  await draw();
  return place;

  async function draw() {
    const keyring = readKeyring();
    const { address } = currentKey(keyring);
    const balance = element('output', {}, '... SOL');
    place.replaceChildren(
      field(
        'Account',
        select(
          keyring.keys.map(({ name }, index): [string, string] => [String(index), name]),
          String(keyring.current),
          (index) => write({ current: Number(index) }),
        ),
      ),
      element('code', { 'data-testid': 'wallet-address' }, address),
      field(
        'Network',
        select(
          NETWORKS.map((name): [string, string] => [name, name]),
          keyring.chain,
          (chain) => write({ chain }),
        ),
      ),
      element('div', { class: 'row' }, balance, button(`Get ${AIRDROP_SOL} SOL`, airdrop), button('New account', add)),
    );
    void showBalance(balance, address);
  }

  async function write(change: Partial<Keyring>) {
    writeKeyring({ ...readKeyring(), ...change });
    await draw();
  }

  async function add() {
    await addKey(readKeyring());
    await draw();
  }

  async function airdrop() {
    const { address } = currentKey(readKeyring());
    await fetch('/dev/solana/airdrop', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address, sol: AIRDROP_SOL }),
    });
    await draw();
  }
}

async function showBalance(output: HTMLElement, address: string) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBalance', params: [address] });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch('/dev/solana/rpc', { method: 'POST', headers, body })
    .then((answer) => (answer.ok ? answer.json() : null))
    .catch(() => null);
  const lamports = response?.result?.value;
  output.textContent = typeof lamports === 'number' ? `${lamports / 1e9} SOL` : 'balance unknown';
}

function field(label: string, control: HTMLElement) {
  return element('label', {}, element('span', {}, label), control);
}

function select(options: [value: string, text: string][], value: string, onPick: (value: string) => unknown) {
  const control = element('select', {});
  for (const [key, text] of options) control.append(element('option', { value: key }, text));
  control.value = value;
  control.addEventListener('change', () => void onPick(control.value));
  return control;
}

function button(text: string, onClick: () => unknown) {
  const control = element('button', { type: 'button' }, text);
  control.addEventListener('click', () => void onClick());
  return control;
}
