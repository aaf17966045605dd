import { launch as launchChrome } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { chromium } from 'playwright-core';
import { CHROMIUM, CHROMIUM_FLAGS } from '../../test/chromium.ts';
import { median } from '../report/median.ts';
import { giveSession, signedInMiner } from './visitor.mjs';

const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
/** Below this an audit's finding is printed. */
const FLAWLESS = 0.9;
const TRACE_TRIES = 5;

/** The medians of `runs` looks at the landing page and, signed in with the node running, at the dashboard. */
export async function measureLighthouse({ origin, runs }) {
  const chrome = await launchChrome({
    chromePath: CHROMIUM,
    chromeFlags: ['--headless', ...CHROMIUM_FLAGS],
    ignoreDefaultFlags: true,
  });
  try {
    const landing = await look('landing', origin, chrome.port, runs);
    await signInto(chrome.port, origin);
    const dashboard = await look('dashboard', `${origin}/`, chrome.port, runs);
    return [...landing, ...dashboard];
  } finally {
    chrome.kill();
  }
}

/** Lighthouse keeps cookies and local storage and clears the caches, so each look is a first visit of a known browser. */
async function signInto(port, origin) {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  await giveSession(browser.contexts()[0], await signedInMiner(origin));
  await browser.close();
}

/** The phone profile is Lighthouse's own: a mid-range phone, slow 4G, CPU four times slower (simulated throttling). */
async function look(name, url, port, runs) {
  const scores = Object.fromEntries(CATEGORIES.map((category) => [category, []]));
  const found = new Set();
  for (let run = 1; run <= runs; run += 1) {
    const lhr = await lookOnce(name, url, port);
    for (const category of CATEGORIES) scores[category].push(Math.round(lhr.categories[category].score * 100));
    console.log(
      `${name} ${run}: ${CATEGORIES.map((each) => `${each} ${scores[each].at(-1)}`).join(', ')}; ${timings(lhr)}`,
    );
    for (const finding of findings(lhr)) found.add(finding);
    found.add(`largest paint: ${largestPaint(lhr)}`);
  }
  for (const finding of found) console.log(`  ${finding}`);
  return CATEGORIES.map((each) => [`lighthouse_${name}_${each.replace('-', '_')}`, median(scores[each])]);
}

/** Lighthouse's report of one visit. Chromium now and then writes a trace without the navigation; that visit is made again. */
async function lookOnce(name, url, port) {
  for (let attempt = 1; ; attempt += 1) {
    const { lhr } = await lighthouse(url, { port, logLevel: 'error', onlyCategories: CATEGORIES, output: 'json' });
    if (!lhr.runtimeError) return lhr;
    if (attempt === TRACE_TRIES) throw new Error(`${name}: ${lhr.runtimeError.message}`);
  }
}

function timings({ audits }) {
  const shown = [
    'first-contentful-paint',
    'largest-contentful-paint',
    'total-blocking-time',
    'cumulative-layout-shift',
    'speed-index',
  ];
  return shown.map((id) => `${id} ${audits[id].displayValue}`).join(', ');
}

/** What was painted largest, and where its time went. */
function largestPaint({ audits }) {
  const [element, phases] = audits['largest-contentful-paint-element']?.details?.items ?? [];
  const spent = (phases?.items ?? []).map(({ phase, timing }) => `${phase} ${Math.round(timing)} ms`);
  return `${element?.items?.[0]?.node?.nodeLabel ?? 'unknown'} (${spent.join(', ')})`;
}

/** Audits that cost points. */
function findings(lhr) {
  const refs = CATEGORIES.flatMap((each) => lhr.categories[each].auditRefs).filter(({ weight }) => weight > 0);
  return refs
    .map(({ id }) => lhr.audits[id])
    .filter(({ score }) => score !== null && score < FLAWLESS)
    .map(({ id, title }) => `${id}: ${title}`);
}
