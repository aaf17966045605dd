import { at, type TestSdk, translate } from '@cord/sdk/testing';
import { inFakeTime, renderWithSdk, settle, until } from '@cord/sdk/testing/render';
import { setNumberLocale, setUiTexts, UI_TEXTS } from '@cord/ui';
import { screen, within } from '@testing-library/react';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ui as german } from '../../../shell/languages/de.json';
import { auditSdk, TRAIL } from '../audit/audit.fixtures';
import { TEXTS as AUDIT } from '../audit/texts';
import { TEXTS as NETWORK } from '../network/texts';
import { overviewSdk, sampleOverview } from '../overview/overview.fixtures';
import { TEXTS as OVERVIEW } from '../overview/texts';
import { BOOKS, rulesSdk, sampleProposal } from '../rules/rules.fixtures';
import { TEXTS as RULES } from '../rules/texts';
import { APPEAL, CASES, supportSdk } from '../support/support.fixtures';
import { TEXTS as SUPPORT } from '../support/texts';
import { TEXTS as USERS } from '../users/texts';
import { HARBOUR_ID, usersSdk } from '../users/users.fixtures';
import { Room } from './room';
import { TEXTS as ROOM } from './texts';
import { VIEWS } from './views';

const ALL = [ROOM, OVERVIEW, SUPPORT, USERS, NETWORK, AUDIT, RULES];
const wordsIn = (text: string) => text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];

/** Every word of the texts in the current language. */
function allTexts(): Set<string> {
  const texts = ALL.flatMap((each) => Object.values(each.get() as Record<string, unknown>));
  const shownTexts = texts.map((text) => (typeof text === 'function' ? text({ count: 2 }) : text));
  return new Set(wordsIn(shownTexts.join(' ')));
}

const ENGLISH = allTexts();
/** Names, the same for each reader. */
const NAMES = new Set([
  ...sampleOverview().streams.flatMap(({ name }) => wordsIn(name)),
  ...wordsIn(Object.keys(overviewSdk().api.healthy?.services ?? {}).join(' ')),
]);

beforeAll(() =>
  Promise.all([
    VIEWS.overview.file.load(),
    VIEWS.support.file.load(),
    VIEWS.users.file.load(),
    VIEWS.audit.file.load(),
    VIEWS.rules.file.load(),
  ]),
);
beforeAll(() => {
  // The texts of the design system are a language's, too: a file of this worker that follows the language sets them by it.
  translate({ de: { load: async () => ({ default: { ui: german } }) } }, 'de');
  setUiTexts({ ...UI_TEXTS, ...german } as typeof UI_TEXTS);
  setNumberLocale('de');
});
afterAll(() => {
  translate({}, null);
  setUiTexts(UI_TEXTS);
  setNumberLocale('en-GB');
});
inFakeTime();

/** Shows the room to an operator who reads German. @returns its words that are English and not German */
async function englishLeft(sdk: TestSdk, heading: string): Promise<string[]> {
  const { container } = renderWithSdk(<Room />, sdk);
  sdk.session.merge({ id: sdk.session.state.get().user?.id ?? '', locale: 'de' });
  await until(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(heading));
  await settle();
  const german = allTexts();
  const labels = [...container.querySelectorAll('*')].flatMap((each) =>
    ['aria-label', 'placeholder', 'alt'].map((name) => each.getAttribute(name) ?? ''),
  );
  const shownTexts = [...container.querySelectorAll('*')].flatMap(({ childNodes }) =>
    [...childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? [node.textContent ?? ''] : [])),
  );
  const shown = wordsIn([...shownTexts, ...labels].join(' '));
  expect(shown.length).toBeGreaterThan(40);
  return shown.filter((word) => ENGLISH.has(word) && !german.has(word) && !NAMES.has(word));
}

test('the overview is in German, with its dates and numbers', async () => {
  expect(await englishLeft(overviewSdk(), 'Übersicht')).toEqual([]);
  expect(screen.getByText(/^Samstag, 21\. November 2026.* UTC, alle 5 s$/)).toBeDefined();
  expect(screen.getByText('von 1.302 Minern')).toBeDefined();
});

test('a case is in German, except the text of its author', async () => {
  const sdk = supportSdk(APPEAL.id);
  const german = { subject: 'Familie', text: 'Vier Konten.' };
  sdk.api
    .on(at.support.queue, { requests: CASES.map((each) => ({ ...each, ...german })), nextCursor: null })
    .on(at.support.oneCase, { ...APPEAL, ...german });
  expect(await englishLeft(sdk, 'Support')).toEqual([]);
  expect(screen.getByText('Stufe 2, ×0,5')).toBeDefined();
});

test('the trail shows acts and facts in German', async () => {
  const sdk = auditSdk();
  const entries = TRAIL.map((line) => ({ ...line, detail: { ...line.detail, reason: undefined } }));
  sdk.api.on(at.support.audit, { entries, nextCursor: null, missing: [] });
  expect(await englishLeft(sdk, 'Protokoll')).toEqual([]);
  expect(screen.getByText('Adresse als gemeinsam vermerkt')).toBeDefined();
  expect(screen.getByText('Was: Kontobuch')).toBeDefined();
});

test('an account is in German, including its devices', async () => {
  const sdk = usersSdk(HARBOUR_ID);
  sdk.tabs.setParam('admin', 'part', 'signins');
  expect(await englishLeft(sdk, 'Nutzer')).toEqual([]);
  expect(within(screen.getByRole('table', { name: 'Anmeldungen' })).getByText('Chrome auf Windows')).toBeDefined();
});

test('the rules and the form for new ones are in German, except texts of operators', async () => {
  const sdk = rulesSdk();
  sdk.tabs.setParam('admin', 'rules', 'new');
  const german = { reason: 'Zu viel', sooner: 'Zu wenig' };
  sdk.api
    .on(at.rules.rules, { books: BOOKS.map((book) => ({ ...book, ...german })), epochs: [] })
    .on(at.rules.proposals, { proposals: [sampleProposal(1, german)] });
  expect(await englishLeft(sdk, 'Regeln')).toEqual([]);
  expect(screen.getByText('Serienbonus für jeden Tag: bisher 5 CORD, dann 4,5 CORD')).toBeDefined();
});
