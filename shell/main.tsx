import '@cord/ui/base.css';
import './app/boot.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { createShell } from './app/create-shell';
import { whenIdle } from './app/scheduling';
import { ShellProvider } from './app/shell-context';
import { registerWorker } from './offline/register-worker';

function start(): void {
  const shell = createShell();
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no #root');
  // In slices: until it is there the page says the same as the loading screen, and answers to a hand.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <ShellProvider shell={shell}>
          <App />
        </ShellProvider>
      </StrictMode>,
    ),
  );
  void shell.startup.run();
  if (process.env.NODE_ENV === 'production') whenIdle(() => registerWorker());
}

// In a task of its own: reading the scripts was one already.
setTimeout(start);
