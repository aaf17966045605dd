import app from './app.json';
import asLeft from './as-left.json';
import away from './away.json';
import connect from './connect.json';
import connectReasons from './connect-reasons.json';
import dashboard from './dashboard.json';
import dashboardAnswers from './dashboard-answers.json';
import failures from './failures.json';
import header from './header.json';
import landing from './landing.json';
import ledger from './ledger.json';
import ledgerReasons from './ledger-reasons.json';
import noAnswer from './no-answer.json';
import noticesBell from './notices.bell.json';
import notices from './notices.json';
import problems from './problems.json';
import session from './session.json';
import settingsData from './settings.data.json';
import settingsInstall from './settings.install.json';
import settings from './settings.json';
import settingsLanguage from './settings.language.json';
import settingsSupport from './settings.support.json';
import settingsNotices from './settings-notices.json';
import settingsPush from './settings-push.json';
import shellConnection from './shell.connection.json';
import signOut from './sign-out.json';
import tabs from './tabs.json';
import theme from './theme.json';
import troubleshooting from './troubleshooting.json';
import ui from './ui.json';
import welcome from './welcome.json';

/** German, informally, as people on Discord speak. Each under the name that its texts were defined with. */
export default {
  app,
  'as-left': asLeft,
  away,
  connect,
  'connect-reasons': connectReasons,
  dashboard,
  'dashboard-answers': dashboardAnswers,
  failures,
  header,
  landing,
  ledger,
  'ledger-reasons': ledgerReasons,
  'no-answer': noAnswer,
  notices,
  'notices.bell': noticesBell,
  problems,
  session,
  settings,
  'settings-notices': settingsNotices,
  'settings-push': settingsPush,
  'settings.data': settingsData,
  'settings.install': settingsInstall,
  'settings.language': settingsLanguage,
  'settings.support': settingsSupport,
  'shell.connection': shellConnection,
  'sign-out': signOut,
  tabs,
  theme,
  troubleshooting,
  ui,
  welcome,
};
