import '@cord/ui/base.css';
import './app/boot.css';
import { ownTask, whenIdle } from './app/scheduling';
import { startWatch } from './app/start-watch';

/**
 * Reads the code in steps, each in a task of its own (`eager`: in this file, but run where it is requested): at a stroke it
 * would keep a phone from answering for a fifth of a second. The session is read as soon as the shell is there.
 */
async function start(): Promise<void> {
  await ownTask();
  await import(/* webpackMode: "eager" */ './app/read-react');
  await ownTask();
  // The part that makes it: what only the app behind the sign-in uses comes with that.
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
