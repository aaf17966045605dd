// Takes the pictures of README.md from the catalogue, so that they show the screens as they are. Run after a change of one:
// node --import tsx storybook/pictures/screens.ts [NAME ...]
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { CHROMIUM_LAUNCH } from '../../infra/test/chromium.ts';
import { buildIfChanged, readStories, serveCatalogue } from '../test/catalogue.ts';
import { openVisitor } from '../test/visit.mjs';

/** What a picture shows: a story, in a theme, at a width, px. */
const PICTURES = {
  mining: { story: 'mining-page--running', theme: 'dark', width: 1280 },
  earnings: { story: 'mining-earnings--month', theme: 'dark', width: 1024 },
  lease: { story: 'mining-page--paused-by-lease', theme: 'light', width: 1024 },
  streak: { story: 'tasks-streak--today-is-open', theme: 'light', width: 1280 },
  notices: { story: 'shell-notifications--on-a-phone', theme: 'dark', width: 390 },
  check: { story: 'shell-check-your-ledger--holds', theme: 'dark', width: 1024 },
  miner: { story: 'rankings-miner--another', theme: 'light', width: 1280 },
  operators: { story: 'operators-support--appeal', theme: 'dark', width: 1440 },
};

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in PICTURES));
if (unknown.length > 0) {
  console.error(`There is no picture ${unknown.join(', ')}; there are ${Object.keys(PICTURES).join(', ')}`);
  process.exit(1);
}

buildIfChanged();
const stories = readStories();
const site = await serveCatalogue();
const browser = await chromium.launch(CHROMIUM_LAUNCH);
const visitor = await openVisitor(browser, site.origin);
const shots = mkdtempSync(join(tmpdir(), 'cord-pictures-'));
for (const [name, { story, theme, width }] of Object.entries(PICTURES)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const found = stories.find(({ id }) => id === story);
  if (found === undefined) throw new Error(`The catalogue has no story ${story}`);
  // Its own width, whichever the story is tested at.
  const { shown } = await visitor.visit({ ...found, tags: [] }, { shots, width, themes: [theme] });
  if (shown.length > 0) throw new Error(`${story}: ${shown.join('; ')}`);
  copyFileSync(join(shots, `${story}-${theme}.png`), join(FOLDER, `${name}.png`));
  console.log(`${name}.png of ${story}`);
}
rmSync(shots, { recursive: true });
await browser.close();
site.close();
