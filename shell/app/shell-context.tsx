import { SdkProvider } from '@cord/sdk';
import { createContext, type ReactNode, useContext } from 'react';
import type { Shell } from './create-shell';

const ShellContext = createContext<Shell | null>(null);

/** Provides the page with its shell, sdk and query cache. */
export function ShellProvider({ shell, children }: { shell: Shell; children: ReactNode }) {
  return (
    <ShellContext value={shell}>
      <SdkProvider sdk={shell.sdk}>{children}</SdkProvider>
    </ShellContext>
  );
}

export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (shell === null) throw new Error('no shell around this component');
  return shell;
}
