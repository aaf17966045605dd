// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { layOutAhead, unveil } from './lay-out-ahead';

let place: HTMLElement;
let page: HTMLElement;
/** How the page was hidden when it was measured in its place. */
let laidOut: { display: string; waiting: boolean }[];

/** As React renders ahead: the page's own element is there at once, what it shows comes later and is hidden. */
function renderAhead(): void {
  const shown = document.createElement('p');
  shown.textContent = 'Task Center';
  shown.style.setProperty('display', 'none', 'important');
  page.append(shown);
}

beforeEach(() => {
  place = document.createElement('main');
  page = document.createElement('div');
  laidOut = [];
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    const child = this.firstElementChild as HTMLElement | null;
    if (place.contains(this))
      laidOut.push({ display: child?.style.display ?? '', waiting: this.hasAttribute('data-waiting') });
    return {} as DOMRect;
  });
  vi.stubGlobal('CSS', { supports: () => true });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
const isUnseen = () => page.hasAttribute('data-waiting');

it('a page rendered ahead is laid out once, as it will be seen, and waits unseen in its place', async () => {
  layOutAhead(page, place, () => true);
  expect(place.childElementCount).toBe(0);
  renderAhead();
  await settled();
  layOutAhead(page, place, () => true);
  await settled();
  expect(laidOut).toEqual([{ display: '', waiting: false }]);
  expect(page.parentElement).toBe(place);
  expect(isUnseen()).toBe(true);
});

it('is laid out too when it was rendered before', async () => {
  renderAhead();
  layOutAhead(page, place, () => true);
  await settled();
  expect(laidOut).toHaveLength(1);
});

it('that was shown or taken back meanwhile is left alone', async () => {
  renderAhead();
  layOutAhead(page, place, () => false);
  await settled();
  expect(laidOut).toEqual([]);
  expect(place.childElementCount).toBe(0);
});

it('is shown at once, laid out or not', async () => {
  renderAhead();
  unveil(page);
  expect((page.firstElementChild as HTMLElement).style.display).toBe('');
  layOutAhead(page, place, () => true);
  await settled();
  unveil(page);
  expect(isUnseen()).toBe(false);
});

it('what a page hides by itself stays hidden', () => {
  renderAhead();
  const own = page.appendChild(document.createElement('p'));
  own.style.display = 'none';
  unveil(page);
  expect([...page.children].map((child) => (child as HTMLElement).style.display)).toEqual(['', 'none']);
});

it('stays out of the page in a browser that would show it', async () => {
  vi.stubGlobal('CSS', { supports: () => false });
  renderAhead();
  layOutAhead(page, place, () => true);
  await settled();
  expect(place.childElementCount).toBe(0);
});
