import { createStore } from '@cord/sdk';
import { createTestSdk, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';
import type { ReactNode } from 'react';
import type { Ended, Shell } from '../app/create-shell';
import { ShellProvider } from '../app/shell-context';
import { createConnectFlow } from '../auth-modal/connect-flow';
import type { Registry } from '../federation/registry';
import { RegistryContext } from '../federation/registry-context';
import { createLedger } from '../ledger/ledger-host';
import type { Arrival } from '../session/arrival';
import { createPendingReferral } from '../session/pending-referral';
import { createStartup, type Welcome } from '../session/startup';
import { createTabState, currentQuery } from '../tabs/tab-state';
import { createAppearance } from '../theme/theme';
import { testRegistry } from './registry';

export interface TestShell extends Shell {
  /** Published modules. */
  registry: Registry;
  sdk: TestSdk;
  /** Addresses the page was sent to, in order. */
  visited: string[];
}

export interface TestShellOptions extends TestSdkOptions {
  arrival?: Partial<Arrival>;
  /** Discord's text about a refusal. */
  errorDescription?: string;
  /** A referral code that waits for the sign-in. */
  referral?: string;
  welcome?: Welcome;
  /** Content of /remotes.json; by default the modules of this checkout. */
  registry?: Registry;
  /** Whether nobody was signed in on this device before; false by default. */
  newDevice?: boolean;
}

const NOWHERE: Arrival = { authError: null, welcome: null, referral: null };

/** Creates the shell's own wiring around the sdk mock: no request leaves the page, and the test controls the server. */
export function createTestShell(options: TestShellOptions = {}): TestShell {
  const tabs = createTabState();
  const ledger = createLedger();
  const sdk: TestSdk = Object.assign(createTestSdk(options), {
    tabs: { ...tabs, current: createStore(tabs.current.get()), params: createStore(tabs.params.get()) },
    ledger,
  });
  tabs.params.listen(() => sdk.tabs.params.set(tabs.params.get()));
  tabs.current.listen(() => sdk.tabs.current.set(tabs.current.get()));
  const memory = memoryStorage();
  const referral = createPendingReferral(memory, memory);
  if (options.referral !== undefined) referral.keep(options.referral);
  const visited: string[] = [];
  const connect = createConnectFlow({
    api: sdk.api,
    referral: referral.get,
    wanted: () => currentQuery(tabs),
    navigate: (address) => void visited.push(address),
  });
  const startup = createStartup({
    sdk,
    flow: connect,
    arrival: { ...NOWHERE, ...options.arrival },
    errorDescription: () => options.errorDescription ?? null,
    expectsSession: () => options.newDevice !== true,
    onSignedIn: () => undefined,
  });
  if (options.welcome) startup.welcome.set(options.welcome);
  const appearance = createAppearance(document, memory);
  const sessionExpected = options.newDevice !== true;
  const ended = createStore<Ended | null>(null);
  const signingOut = createStore(false);
  const { registry = testRegistry() } = options;
  const shell = { sdk, startup, sessionExpected, connect, tabs, appearance, referral, ledger, ended, signingOut };
  return { ...shell, visited, registry };
}

export function InShell({ shell, children }: { shell: TestShell; children: ReactNode }) {
  return (
    <RegistryContext value={shell.registry}>
      <ShellProvider shell={shell}>{children}</ShellProvider>
    </RegistryContext>
  );
}

function memoryStorage(): Storage {
  const kept = new Map<string, string>();
  return {
    length: 0,
    clear: () => kept.clear(),
    key: () => null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}
