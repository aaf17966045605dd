// Visits stories of the catalogue in headless Chromium: renders them, runs their play functions and fails on console errors.
// They are the first story of each component, with axe (WCAG 2.2 AA) in dark and light, and those that have a play function;
// they follow each other in one page. With --whole it is every story with axe, each in a page of its own.
// Options: --only TEXT (every story whose id has it), --shots FOLDER, --width PX.
// A story with a tag such as `w390` is visited at that width, one with the tag `zones` also where it is another day than in
// UTC. Last line: `N passed, N failed`.
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { CHROMIUM_LAUNCH } from '../../infra/test/chromium.ts';
import { buildIfChanged, readStories, type Story, serveCatalogue } from './catalogue.ts';
import { openVisitor, THEMES } from './visit.mjs';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    shots: { type: 'string' },
    width: { type: 'string' },
    whole: { type: 'boolean', default: false },
  },
});

const startedMs = performance.now();
const built = buildIfChanged();
const seconds = () => ((performance.now() - startedMs) / 1000).toFixed(1);
console.log(`catalogue ${built ? 'built' : 'unchanged'} (${seconds()} s)`);
if (options.shots) mkdirSync(options.shots, { recursive: true });

const found = readStories().filter((story) => !options.only || story.id.includes(options.only));
if (found.length === 0) {
  console.error(options.only ? `No story id contains "${options.only}"` : 'The catalogue is empty');
  process.exit(1);
}
/** The examples of their components for axe, which is most of what a story costs. */
const firsts = new Set(new Map([...found].reverse().map(({ title, id }) => [title, id])).values());
const isAll = options.whole || options.only !== undefined || options.shots !== undefined;
/** Storybook's tag of a story with a play function. */
const queue = isAll ? found : found.filter(({ id, tags }) => firsts.has(id) || tags.includes('play-fn'));
const themesOf = ({ id }: Story) => (options.whole || options.shots || firsts.has(id) ? THEMES : []);
/** To either side of UTC, half a day away and more. */
const ZONES = ['Pacific/Auckland', 'America/Los_Angeles'];
const zoned = queue.filter((story) => story.tags.includes('zones'));
const site = await serveCatalogue();
const browser = await chromium.launch(CHROMIUM_LAUNCH);
let passed = 0;
let failed = 0;

/** Visits the stories that no other page has taken. */
async function work(stories: Iterator<Story> & Iterable<Story>, timeZone?: string): Promise<void> {
  const visitor = await openVisitor(browser, site.origin, timeZone);
  for (const story of stories) await check(visitor, story, timeZone);
  await visitor.close();
}

type Visitor = Awaited<ReturnType<typeof openVisitor>>;

async function check(visitor: Visitor, story: Story, timeZone: string | undefined): Promise<void> {
  const results: Record<string, string[]> = await visitor
    .visit(story, {
      shots: options.shots,
      ...(options.width ? { width: Number(options.width) } : {}),
      themes: themesOf(story),
      alone: options.whole,
    })
    .catch((error: Error) => {
      // Without a browser the rest would fail one by one and show nothing.
      if (!browser.isConnected()) throw new Error(`The browser ended at ${story.id}`);
      return { shown: [`visit: ${error.message}`] };
    });
  for (const [theme, problems] of Object.entries(results)) {
    if (problems.length === 0) passed++;
    else failed++;
    for (const problem of problems) console.log(`FAIL ${story.id} [${timeZone ?? theme}] ${problem}`);
  }
}

try {
  const pages = Math.max(2, Math.min(4, availableParallelism()));
  const waiting = queue.values();
  await Promise.all(Array.from({ length: pages }, () => work(waiting)));
  for (const timeZone of ZONES) await work(zoned.values(), timeZone);
} finally {
  await browser.close();
  site.close();
}
console.log(
  `${queue.length} of ${found.length} stories, ${options.whole ? 'all' : firsts.size} by axe in dark and light, ${seconds()} s`,
);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
