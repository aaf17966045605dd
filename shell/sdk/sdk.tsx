import type { QueryClient } from '@tanstack/react-query';
import { QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import type { Api } from './api';
import type { Broadcast } from './broadcast';
import type { Connection } from './connection';
import type { LedgerHost } from './ledger';
import type { Live } from './live/live';
import type { PartsHost } from './parts';
import type { Report } from './report';
import type { ServerClock } from './server-clock';
import type { Session } from './session';
import type { SharedCache } from './shared-cache';
import type { Tabs } from './tabs';
import type { Ticker } from './ticker';
import type { Toasts } from './toasts';
import type { Writes } from './writes';

/** The interface of the shell to its modules. One instance, created and installed by the shell. */
export interface Sdk {
  api: Api;
  session: Session;
  clock: ServerClock;
  connection: Connection;
  ticker: Ticker;
  queries: QueryClient;
  writes: Writes;
  cache: SharedCache;
  live: Live;
  broadcast: Broadcast;
  tabs: Tabs;
  toasts: Toasts;
  parts: PartsHost;
  ledger: LedgerHost;
  /** Reports a caught error. */
  report: Report;
}

let installed: Sdk | null = null;
/** The sdk of a tree, for class components. */
export const SdkContext = createContext<Sdk | null>(null);

/** Called once by the shell before the first module is mounted. */
export function installSdk(sdk: Sdk): void {
  installed = sdk;
}

/** Returns the installed sdk, for code outside of components. */
export function getSdk(): Sdk {
  if (installed === null) throw new Error('The shell has not installed the sdk');
  return installed;
}

/** Returns the sdk of this tree: the provided one, else the shell's. */
export function useSdk(): Sdk {
  return useContext(SdkContext) ?? getSdk();
}

/** Provides a tree with the sdk and its query cache. */
export function SdkProvider({ sdk, children }: { sdk: Sdk; children: ReactNode }) {
  return (
    <SdkContext value={sdk}>
      <QueryClientProvider client={sdk.queries}>{children}</QueryClientProvider>
    </SdkContext>
  );
}
