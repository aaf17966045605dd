import { launch as launchChrome } from 'chrome-launcher';
import lighthouse, { type Result } from 'lighthouse';
import { chromium } from 'playwright-core';
import { CHROMIUM, CHROMIUM_FLAGS } from '../../test/chromium.ts';
import { median } from '../shared/median.ts';
import type { Measure } from './budgets.ts';
import { giveSession, signedInMiner } from './visitor.ts';

const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
/** Below this an audit's finding is printed. */
const FLAWLESS = 0.9;
const TRACE_TRIES = 5;

/** The medians of `runs` looks at the landing page and, signed in with the node running, at the dashboard. */
export const measureLighthouse: Measure = async ({ origin, runs }) => {
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
};

/** Lighthouse keeps cookies and local storage and clears the caches, so each look is a first visit of a known browser. */
async function signInto(port: number, origin: string) {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const [context] = browser.contexts();
  if (!context) throw new Error('the browser has no context');
  await giveSession(context, await signedInMiner(origin));
  await browser.close();
}

/** The phone profile is Lighthouse's own: a mid-range phone, slow 4G, CPU four times slower (simulated throttling). */
async function look(name: string, url: string, port: number, runs: number): Promise<[string, number][]> {
  const scores = new Map(CATEGORIES.map((category): [string, number[]] => [category, []]));
  const found = new Set<string>();
  for (let run = 1; run <= runs; run += 1) {
    const lhr = await lookOnce(name, url, port);
    for (const [category, of] of scores) of.push(Math.round((lhr.categories[category]?.score ?? 0) * 100));
    const last = [...scores].map(([category, of]) => `${category} ${of.at(-1)}`);
    console.log(`${name} ${run}: ${last.join(', ')}; ${timings(lhr)}`);
    for (const finding of findings(lhr)) found.add(finding);
    found.add(`largest paint: ${largestPaint(lhr)}`);
  }
  for (const finding of found) console.log(`  ${finding}`);
  return [...scores].map(([category, of]) => [`lighthouse_${name}_${category.replace('-', '_')}`, median(of)]);
}

/** Lighthouse's report of one visit. Chromium now and then writes a trace without the navigation; that visit is made again. */
async function lookOnce(name: string, url: string, port: number): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const visit = await lighthouse(url, { port, logLevel: 'error', onlyCategories: CATEGORIES, output: 'json' });
    if (visit && !visit.lhr.runtimeError) return visit.lhr;
    if (attempt === TRACE_TRIES) throw new Error(`${name}: ${visit?.lhr.runtimeError?.message ?? 'no report'}`);
  }
}

function timings({ audits }: Result) {
  const shown = [
    'first-contentful-paint',
    'largest-contentful-paint',
    'total-blocking-time',
    'cumulative-layout-shift',
    'speed-index',
  ];
  return shown.map((id) => `${id} ${audits[id]?.displayValue}`).join(', ');
}

/** The element in the first table, the phases of its time (ms) in the second. */
type PaintTables = [
  element?: { items: { node?: { nodeLabel?: string } }[] },
  phases?: { items: { phase: string; timing: number }[] },
];

/** What was painted largest, and where its time went. */
function largestPaint({ audits }: Result) {
  const details = audits['largest-contentful-paint-element']?.details as { items?: PaintTables } | undefined;
  const [element, phases] = details?.items ?? [];
  const spent = (phases?.items ?? []).map(({ phase, timing }) => `${phase} ${Math.round(timing)} ms`);
  return `${element?.items?.[0]?.node?.nodeLabel ?? 'unknown'} (${spent.join(', ')})`;
}

/** Audits that cost points. */
function findings(lhr: Result) {
  const refs = CATEGORIES.flatMap((each) => lhr.categories[each]?.auditRefs ?? []).filter(({ weight }) => weight > 0);
  return refs
    .map(({ id }) => lhr.audits[id])
    .filter((audit) => audit !== undefined && audit.score !== null && audit.score < FLAWLESS)
    .map((audit) => `${audit?.id}: ${audit?.title}`);
}
