import { rounded } from './budgets.mjs';
import { DESK, giveSession, launch, PHONE, signedInMiner } from './visitor.mjs';

const WIDTHS = { desk: DESK, phone: PHONE };
const TABS = ['dashboard', 'node', 'tasks', 'leaderboard', 'referrals', 'settings'];
const LOOK_MS = 1_500;

/** The largest cumulative layout shift (web-vitals' session windows) of any page of a walk through all of it, at both widths. */
export async function measureLayoutShift({ origin }) {
  const browser = await launch();
  let most = 0;
  try {
    for (const [width, viewport] of Object.entries(WIDTHS)) {
      const person = await signedInMiner(origin);
      const context = await browser.newContext({ viewport });
      await context.addInitScript(observe);
      const page = await context.newPage();
      const told = new Set();
      const said = async (name) => {
        await page.waitForTimeout(LOOK_MS);
        const { shift, moved } = await page.evaluate(() => window.cordShift);
        for (const text of moved.splice(0))
          if (!told.has(text)) console.log(`${width} ${name}: ${told.add(text) && text}`);
        most = Math.max(most, shift);
      };
      await page.goto(origin);
      await said('landing');
      await page.getByRole('button', { name: 'Connect Discord & Start Mining' }).first().click();
      await said('landing with the modal');
      await giveSession(context, person);
      for (const tab of TABS) {
        await page.goto(`${origin}/?tab=${tab}`);
        await said(`${tab}, opened`);
      }
      await page.goto(origin);
      await walk(page, width, said);
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return [['layout_shift_max', rounded(most, 4)]];
}

/** From tab to tab, then stop and start the node. */
async function walk(page, width, said) {
  for (const tab of [...TABS.slice(1), 'dashboard']) {
    if (width === 'phone' && ['referrals', 'settings'].includes(tab)) await page.getByTestId('menu').click();
    await page.getByTestId(`tab-${tab}`).first().click();
    await said(`${tab}, by its tab`);
  }
  for (const change of ['stopped', 'started']) {
    await page.getByTestId('node-toggle').first().click();
    await said(`the node ${change}`);
  }
}

/** Runs in each page before its own code: adds shifts up as web-vitals does, windows of at most 5 s with gaps under 1 s. */
function observe() {
  const kept = { shift: 0, moved: [] };
  window.cordShift = kept;
  let current = 0;
  let firstMs = 0;
  let lastMs = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, startTime, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      const same = current > 0 && startTime - lastMs < 1_000 && startTime - firstMs < 5_000;
      if (!same) firstMs = startTime;
      current = same ? current + value : value;
      lastMs = startTime;
      kept.shift = Math.max(kept.shift, current);
      if (value < 0.005) continue;
      const names = sources.map(({ node, previousRect, currentRect }) => {
        const by = `${currentRect.x - previousRect.x},${currentRect.y - previousRect.y}`;
        return `${node?.className || node?.nodeName} by ${by}`;
      });
      kept.moved.push(`${value.toFixed(4)} at ${Math.round(startTime)} ms: ${names.join('; ')}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}
