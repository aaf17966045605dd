import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import type { Shell } from './create-shell';
import { ShellProvider } from './shell-context';

/** Puts the app into the page. In slices: until it is there the page says the same as the loading screen, and answers to a hand. */
export function show(shell: Shell): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no #root');
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <ShellProvider shell={shell}>
          <App />
        </ShellProvider>
      </StrictMode>,
    ),
  );
}
