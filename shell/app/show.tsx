import { setViewSteps } from '@cord/sdk/host';
import { setOverlayHost, watchFocus } from '@cord/ui';
import { StrictMode, startTransition, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { unstable_forceFrameRate as sliceToFrameRate } from 'scheduler';
import { App } from './app';
import type { Shell } from './create-shell';
import { ShellProvider } from './shell-context';
import { startWatch } from './start-watch';

/**
 * Renders the app into the page, in slices: until it is complete, the loading screen stays visible and the page
 * responds. An uncaught error removes the app; then the page's own text and Reload appear.
 */
export function show(shell: Shell): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no #root');
  // React's default slices of 5 ms make three tasks per frame: 7 % of a dashboard's start on a slow phone.
  sliceToFrameRate(60);
  watchFocus();
  setOverlayHost(shell.tabs.over);
  setViewSteps(shell.tabs);
  const onUncaughtError = (error: unknown) => {
    reportError(error);
    startWatch()?.failed();
  };
  startTransition(() =>
    createRoot(root, { onUncaughtError }).render(
      <StrictMode>
        <ShellProvider shell={shell}>
          <App />
        </ShellProvider>
        <Drawn />
      </StrictMode>,
    ),
  );
}

/** Reports that the app is on screen. */
function Drawn() {
  useEffect(() => startWatch()?.done(), []);
  return null;
}
