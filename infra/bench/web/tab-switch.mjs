import { median } from '../report/median.mjs';
import { rounded } from './budgets.mjs';
import { DESK, giveSession, launch, signedInMiner } from './visitor.mjs';

/** Each tab by the heading that says that its content is there. */
const TITLES = {
  node: 'Mining',
  tasks: 'Task Center',
  leaderboard: 'Rankings',
  referrals: 'Referrals',
  settings: 'Settings',
};
const CPU_SLOWDOWN = 4;
const ROUNDS = 5;
const SETTLED_MS = 1_500;

/**
 * From the click on a tab that was pointed at before to the frame with its content on screen, ms, at a CPU four times slower. The
 * worst tab's median: `tab_switch_ms` to the page itself, `tab_switch_filled_ms` to the last number that it asks a service for.
 */
export async function measureTabSwitch({ origin }) {
  const browser = await launch();
  try {
    const person = await signedInMiner(origin);
    const page = [];
    const filled = [];
    for (const tab of Object.keys(TITLES)) {
      const rounds = [];
      for (let round = 0; round < ROUNDS; round += 1) rounds.push(await switchOnce(browser, person, tab));
      page.push(median(rounds.map((each) => each.pageMs)));
      filled.push(median(rounds.map((each) => each.filledMs)));
      console.log(`${tab}: page ${rounded(page.at(-1))} ms, filled ${rounded(filled.at(-1))} ms`);
    }
    return [
      ['tab_switch_ms', rounded(Math.max(...page))],
      ['tab_switch_filled_ms', rounded(Math.max(...filled))],
    ];
  } finally {
    await browser.close();
  }
}

/** A fresh page on the dashboard, the tab pointed at, everything quiet; then the click. */
async function switchOnce(browser, person, tab) {
  const context = await browser.newContext({ viewport: DESK });
  await giveSession(context, person);
  const page = await context.newPage();
  await page.goto(person.origin, { waitUntil: 'networkidle' });
  await page.getByTestId(`tab-${tab}`).hover();
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(SETTLED_MS);
  const protocol = await context.newCDPSession(page);
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const taken = await page.evaluate(clickAndWatch, { tab, title: TITLES[tab] });
  await context.close();
  return taken;
}

/** Runs in the page. Times are taken in the frame after the one in which the change was painted. */
function clickAndWatch({ tab, title }) {
  const main = document.querySelector('main');
  const hasTitle = () =>
    [...main.querySelectorAll('h1')].some((each) => each.textContent.includes(title) && each.checkVisibility());
  const isFilled = () => hasTitle() && main.querySelector('[aria-busy="true"]') === null;
  return new Promise((resolve, reject) => {
    const startMs = performance.now();
    const taken = {};
    const painted = (name) =>
      requestAnimationFrame(() =>
        setTimeout(() => {
          taken[name] = performance.now() - startMs;
          if ('pageMs' in taken && 'filledMs' in taken) resolve(taken);
        }),
      );
    const waiting = { pageMs: hasTitle, filledMs: isFilled };
    const look = () => {
      for (const [name, there] of Object.entries(waiting)) {
        if (!there()) continue;
        delete waiting[name];
        painted(name);
      }
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    setTimeout(() => reject(new Error(`${tab} did not show its content`)), 15_000);
    document.querySelector(`[data-testid="tab-${tab}"]`).click();
  });
}
