import { SdkProvider } from '@cord/sdk';
import { createContext, type ReactNode, useContext } from 'react';
import type { Shell } from './create-shell';

const ShellContext = createContext<Shell | null>(null);

/** Gives the page its shell, and through it the sdk and the query cache. */
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
