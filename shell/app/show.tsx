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
 * Puts the app into the page. In slices: until it is there the page is the same as the loading screen, and answers to a hand.
 * What no area keeps to itself takes all of it away; then the page's own text and Reload stand in its place.
 */
export function show(shell: Shell): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no #root');
  // React's own slices of 5 ms make three tasks of what one frame has room for: 7 % of a dashboard's start on a slow phone.
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
