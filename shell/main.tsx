import '@cord/ui/base.css';
import './app/boot.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { createShell } from './app/create-shell';
import { ShellProvider } from './app/shell-context';
import { registerWorker } from './offline/register-worker';

const shell = createShell();
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <ShellProvider shell={shell}>
      <App />
    </ShellProvider>
  </StrictMode>,
);
void shell.startup.run();
if (process.env.NODE_ENV === 'production') registerWorker();
