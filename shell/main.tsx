import '@cord/ui/base.css';
import './app/boot.css';
import { ownTask, whenIdle } from './app/scheduling';
import { startWatch } from './app/start-watch';

/**
 * Loads the code in steps, each in its own task (`eager`: bundled in this file, run on import). In one task it would
 * block a phone for a fifth of a second. The session is read as soon as the shell exists.
 */
async function start(): Promise<void> {
  await ownTask();
  await import(/* webpackMode: "eager" */ './app/read-react');
  await ownTask();
  // Imports `createSdk` only; exports for the signed-in app load with that.
  await import(/* webpackMode: "eager", webpackExports: ["createSdk"] */ '@cord/sdk/host');
  await ownTask();
  const { createShell } = await import(/* webpackMode: "eager" */ './app/create-shell');
  const { textsLoaded } = await import(/* webpackMode: "eager" */ './app/language');
  const shell = createShell();
  void shell.startup.run();
  await ownTask();
  const { show } = await import(/* webpackMode: "eager" */ './app/show');
  await textsLoaded();
  show(shell);
  await ownTask();
  const { readNumberRules } = await import(/* webpackMode: "eager" */ '@cord/ui/format');
  readNumberRules();
  if (process.env.NODE_ENV !== 'production') return;
  const { listenToNotifications, keepInstallOffer } = await import(/* webpackMode: "eager" */ './offline/early-events');
  listenToNotifications(shell.tabs.goByName);
  keepInstallOffer();
  whenIdle(() => void import('./app/once-idle').catch(() => undefined));
}

start().catch((error: unknown) => startWatch()?.failed(String(error)));
