// One story: render, play function, console, then axe in dark and in light. Stories of one component follow each other in
// one page, which is loaded anew for the next component and after a failure, so that none stands on what another left.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import type { Story } from './catalogue.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 AA and everything below it. */
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
/** A story is a part of a page: what only a whole page can have is not checked of it. */
const PAGE_RULES = ['bypass', 'document-title', 'html-has-lang', 'landmark-one-main', 'page-has-heading-one', 'region'];
const RENDER_TIMEOUT_MS = 120_000;
export const THEMES: readonly string[] = ['dark', 'light'];
/** The other theme changes colours and nothing else: only what depends on them is checked again. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const HEIGHT = 900;
/** tsx keeps the names of functions by a call that is not in the page. */
const NAMES = 'globalThis.__name = (named) => named';
/** Everything reflows to this width without scrolling sideways (WCAG 1.4.10). */
const NARROWEST = 320;

/** What the page keeps of the story that it shows. */
interface Seen {
  /** The story that was rendered and whose play function has run. */
  finished: string | null;
  error: string | null;
}

/** Storybook's bus of events in the page. */
interface Channel {
  emit(event: string, payload: object): void;
  on<Payload>(event: string, run: (payload: Payload) => void): void;
}

/** What stands in the page of a story: the catalogue's own, axe, and what `listen` adds. */
type StoryWindow = Window & {
  __story?: Seen;
  __showStory(storyId: string): void;
  __STORYBOOK_ADDONS_CHANNEL__?: Channel;
  axe: { run(context: Document, options: object): Promise<{ violations: Violation[] }> };
};

/** A rule that a page breaks, and where. */
interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary?: string }[];
}

/** Which rules axe checks: those of these tags but `off`, or `only` these. */
interface Rules {
  tags?: string[];
  off?: string[];
  only?: string[];
}

interface VisitOptions {
  /** A folder for pictures. */
  shots?: string | undefined;
  /** px */
  width?: number;
  themes?: readonly string[];
  /** The page is loaded for this story. */
  alone?: boolean;
}

/** Runs before the page: keeps what the catalogue has about the story, and lets it be changed as the catalogue's list does. */
function listen(): void {
  const page = window as unknown as StoryWindow;
  const seen: Seen = { finished: null, error: null };
  page.__story = seen;
  page.__showStory = (storyId) => {
    Object.assign(seen, { finished: null, error: null });
    document.documentElement.setAttribute('data-theme', 'dark');
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo(0, 0);
    page.__STORYBOOK_ADDONS_CHANNEL__?.emit('setCurrentStory', { storyId, viewMode: 'story' });
  };
  const note = (text: string) => {
    seen.error ??= text;
  };
  const wait = setInterval(() => {
    const channel = page.__STORYBOOK_ADDONS_CHANNEL__;
    if (!channel) return;
    clearInterval(wait);
    channel.on('storyFinished', (result: { storyId: string }) => {
      seen.finished = result.storyId;
    });
    const message = (error?: { message?: string; description?: string }) =>
      error?.message ?? error?.description ?? String(error);
    channel.on('storyMissing', (id: string) => note(`story ${id} is missing`));
    channel.on('storyErrored', (error: Error) => note(message(error)));
    channel.on('storyThrewException', (error: Error) => note(message(error)));
    channel.on('playFunctionThrewException', (error: Error) => note(`play: ${message(error)}`));
    channel.on('unhandledErrorsWhilePlaying', (errors: Error[]) => note(`play: ${errors.map(message).join('; ')}`));
  }, 5);
}

export type Visitor = Awaited<ReturnType<typeof openVisitor>>;

/** A page that visits one story after another, on a device in that time zone. */
export async function openVisitor(browser: Browser, origin: string, timezoneId = 'UTC') {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB', timezoneId });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  const page = await context.newPage();
  await page.addInitScript(NAMES);
  await page.addInitScript(listen);
  await page.addInitScript(axeSource);
  let problems: string[] = [];
  /** The component whose stories the page shows; null when the next story needs a new one. */
  let loaded: string | null = null;
  page.on(
    'console',
    (message) => message.type() === 'error' && problems.push(`console: ${firstLines(message.text())}`),
  );
  page.on('pageerror', (error) => problems.push(`page: ${error.message}`));

  async function show({ id, title }: Story): Promise<void> {
    if (title === loaded) await page.evaluate((storyId) => (window as unknown as StoryWindow).__showStory(storyId), id);
    else
      await page.goto(`${origin}/iframe.html?id=${id}&viewMode=story&globals=theme:dark;a11y.manual:!true`, {
        waitUntil: 'commit',
      });
    loaded = null;
    await page
      .waitForFunction(
        (storyId) => {
          const { __story: seen } = window as unknown as StoryWindow;
          return seen?.finished === storyId || seen?.error;
        },
        id,
        {
          timeout: RENDER_TIMEOUT_MS,
          polling: 20,
        },
      )
      .catch(() => problems.push(`render: not finished within ${RENDER_TIMEOUT_MS / 1000} s`));
  }

  /**
   * Failures: of the story itself (`shown`), and axe's by theme; empty lists are passes. With `alone` the page is loaded for
   * this story.
   */
  async function visit(
    story: Story,
    { shots, width = 1280, themes = THEMES, alone = false }: VisitOptions = {},
  ): Promise<{ shown: string[]; [theme: string]: string[] }> {
    problems = [];
    if (alone) loaded = null;
    const tagged = story.tags.find((tag) => /^w\d+$/.test(tag));
    await page.setViewportSize({ width: tagged ? Number(tagged.slice(1)) : width, height: HEIGHT });
    await show(story);
    const error = await page.evaluate(() => (window as unknown as StoryWindow).__story?.error);
    if (error) problems.push(`render: ${firstLines(error)}`);
    const results: { shown: string[]; [theme: string]: string[] } = { shown: problems };
    await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
    for (const theme of themes) {
      await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
      if (shots) await page.screenshot({ path: `${shots}/${story.id}-${theme}.png`, fullPage: true });
      const rules: Rules = theme === 'dark' ? { tags: AXE_TAGS, off: PAGE_RULES } : { only: COLOUR_RULES };
      results[theme] = await page.evaluate(runAxe, rules);
    }
    await page.setViewportSize({ width: NARROWEST, height: HEIGHT });
    const over = await page.evaluate(findOverflow);
    if (over) problems.push(`reflow: ${over}`);
    if (Object.values(results).every((found) => found.length === 0)) loaded = story.title;
    return results;
  }

  return { visit, close: () => context.close() };
}

/** In the page: violations as `axe: rule (target) what`. */
async function runAxe({ tags, off = [], only }: Rules): Promise<string[]> {
  const rules = Object.fromEntries(off.map((rule) => [rule, { enabled: false }]));
  const { violations } = await (window as unknown as StoryWindow).axe.run(document, {
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

/** In the page: what reaches furthest beyond the right edge, if the page scrolls sideways. */
function findOverflow(): string | null {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return null;
  const clipped = (element: Element) => {
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

const firstLines = (text: string) => text.split('\n').slice(0, 3).join(' | ');
