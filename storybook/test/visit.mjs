// One story: render, play function, console, then axe in dark and in light. Stories follow each other in one page, since to
// load it costs more than most of them; one that fails is judged in a page of its own, as all are in the proofs.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 AA and everything below it. */
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
/** A story is a part of a page: what only a whole page can have is not checked of it. */
const PAGE_RULES = ['bypass', 'document-title', 'html-has-lang', 'landmark-one-main', 'page-has-heading-one', 'region'];
const RENDER_TIMEOUT_MS = 120_000;
export const THEMES = ['dark', 'light'];
/** The other theme changes colours and nothing else: only what depends on them is checked again. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const HEIGHT = 900;
/** Everything reflows to this width without scrolling sideways (WCAG 1.4.10). */
const NARROWEST = 320;

/** Runs before the page: stores the catalogue's messages about the story, and lets the test change the story as the catalogue's list does. */
function listen() {
  const seen = { finished: null, error: null };
  window.__story = seen;
  window.__showStory = (storyId) => {
    Object.assign(seen, { finished: null, error: null });
    document.documentElement.setAttribute('data-theme', 'dark');
    document.activeElement?.blur();
    scrollTo(0, 0);
    window.__STORYBOOK_ADDONS_CHANNEL__.emit('setCurrentStory', { storyId, viewMode: 'story' });
  };
  const fail = (text) => {
    seen.error ??= text;
  };
  const wait = setInterval(() => {
    const channel = window.__STORYBOOK_ADDONS_CHANNEL__;
    if (!channel) return;
    clearInterval(wait);
    channel.on('storyFinished', (result) => {
      seen.finished = result.storyId;
    });
    const message = (error) => error?.message ?? error?.description ?? String(error);
    channel.on('storyMissing', (id) => fail(`story ${id} is missing`));
    channel.on('storyErrored', (error) => fail(message(error)));
    channel.on('storyThrewException', (error) => fail(message(error)));
    channel.on('playFunctionThrewException', (error) => fail(`play: ${message(error)}`));
    channel.on('unhandledErrorsWhilePlaying', (errors) => fail(`play: ${errors.map(message).join('; ')}`));
  }, 5);
}

/** A page that visits one story after another, on a device in that time zone. */
export async function openVisitor(browser, origin, timezoneId = 'UTC') {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB', timezoneId });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  const page = await context.newPage();
  await page.addInitScript(listen);
  await page.addInitScript(axeSource);
  let problems = [];
  /** Whether the page can show the next story: false at first and after a failure. */
  let loaded = false;
  page.on(
    'console',
    (message) => message.type() === 'error' && problems.push(`console: ${firstLines(message.text())}`),
  );
  page.on('pageerror', (error) => problems.push(`page: ${error.message}`));

  async function show({ id }) {
    if (loaded) await page.evaluate((storyId) => window.__showStory(storyId), id);
    else
      await page.goto(`${origin}/iframe.html?id=${id}&viewMode=story&globals=theme:dark;a11y.manual:!true`, {
        waitUntil: 'commit',
      });
    loaded = false;
    await page
      .waitForFunction((storyId) => window.__story?.finished === storyId || window.__story?.error, id, {
        timeout: RENDER_TIMEOUT_MS,
        polling: 20,
      })
      .catch(() => problems.push(`render: not finished within ${RENDER_TIMEOUT_MS / 1000} s`));
  }

  /**
   * Returns failures of the story itself (`shown`) and those of axe by theme; empty lists mean a pass. With `alone` the page is loaded for
   * this story; without it only if the story fails after others.
   * @param {import('./catalogue.ts').Story} story
   * @param {{shots?: string | undefined, width?: number, themes?: string[], alone?: boolean}} [options]
   */
  async function visit(story, { shots, width = 1280, themes = THEMES, alone = false } = {}) {
    problems = [];
    if (alone) loaded = false;
    const follows = loaded;
    const tagged = story.tags.find((tag) => /^w\d+$/.test(tag));
    await page.setViewportSize({ width: tagged ? Number(tagged.slice(1)) : width, height: HEIGHT });
    await show(story);
    const error = await page.evaluate(() => window.__story?.error);
    if (error) problems.push(`render: ${firstLines(error)}`);
    const results = { shown: problems };
    await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
    for (const theme of themes) {
      await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
      if (shots) await page.screenshot({ path: `${shots}/${story.id}-${theme}.png`, fullPage: true });
      const rules = theme === 'dark' ? { tags: AXE_TAGS, off: PAGE_RULES } : { only: COLOUR_RULES };
      results[theme] = await page.evaluate(runAxe, rules);
    }
    const outside = await page.evaluate(findOutside);
    if (outside) problems.push(`dialog: ${outside}`);
    await page.setViewportSize({ width: NARROWEST, height: HEIGHT });
    const over = await page.evaluate(findOverflow);
    if (over) problems.push(`reflow: ${over}`);
    loaded = Object.values(results).every((found) => found.length === 0);
    if (!loaded && follows) return visit(story, { shots, width, themes, alone: true });
    return results;
  }

  return { visit, close: () => context.close() };
}

/** Runs in the page: returns violations as `axe: rule (target) what`. */
async function runAxe({ tags, off = [], only }) {
  const rules = Object.fromEntries(off.map((rule) => [rule, { enabled: false }]));
  const { violations } = await window.axe.run(document, {
    runOnly: only ? { type: 'rule', values: only } : { type: 'tag', values: tags },
    rules,
    resultTypes: ['violations'],
  });
  return violations.flatMap((violation) =>
    violation.nodes
      .slice(0, 3)
      .map(
        (node) =>
          `axe: ${violation.id} (${node.target.join(' ')}) ${node.failureSummary?.split('\n').slice(1).join(' ').trim()}`,
      ),
  );
}

/** Runs in the page: returns the element that reaches furthest beyond the right edge, if the page scrolls sideways. */
function findOverflow() {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return null;
  const clipped = (element) => {
    for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
      if (getComputedStyle(box).overflowX !== 'visible' && box.getBoundingClientRect().right <= width) return true;
    }
    return false;
  };
  const beyond = [...document.querySelectorAll('#storybook-root *, [role="dialog"]')]
    .map((element) => ({ element, right: element.getBoundingClientRect().right }))
    .filter(({ element, right }) => right > width && !clipped(element))
    .sort((a, b) => b.right - a.right)[0];
  const name = beyond
    ? `${beyond.element.tagName.toLowerCase()}.${beyond.element.getAttribute('class') ?? ''}`
    : 'the page';
  return `${document.documentElement.scrollWidth} px wide at ${width} px: ${name} "${beyond?.element.textContent?.slice(0, 40) ?? ''}"`;
}

/** Runs in the page: returns a dialog outside of the window that cannot be scrolled into view. */
function findOutside() {
  const { clientWidth, clientHeight } = document.documentElement;
  for (const dialog of document.querySelectorAll('[role="dialog"]')) {
    const { left, top, right, bottom } = dialog.getBoundingClientRect();
    if (Math.min(left, top, clientWidth - right, clientHeight - bottom) < -1)
      return `${[left, top, right, bottom].map(Math.round)} of ${clientWidth} x ${clientHeight} px`;
  }
  return null;
}

const firstLines = (text) => text.split('\n').slice(0, 3).join(' | ');
