// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { rehearse } from './rehearse';

let place: HTMLElement;
let page: HTMLElement;
/** What stood in the place when something was measured there. */
let laidOut: { text: string | null; inert: boolean; display: string }[];

function pointing(hover: boolean): void {
  vi.stubGlobal('matchMedia', () => ({ matches: hover }));
}

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
      laidOut.push({ text: this.textContent, inert: this.inert, display: child?.style.display ?? '' });
    return new DOMRect();
  });
  vi.stubGlobal('DOMRect', class {});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

it('a page rendered ahead is laid out once in its place, as it will be seen, and leaves nothing there', async () => {
  pointing(true);
  rehearse(page, place);
  renderAhead();
  await settled();
  renderAhead();
  await settled();
  expect(laidOut).toEqual([{ text: 'Task Center', inert: true, display: '' }]);
  expect(place.childElementCount).toBe(0);
  expect((page.firstElementChild as HTMLElement).style.display).toBe('none');
});

it('nothing is laid out ahead where nobody can point', async () => {
  pointing(false);
  rehearse(page, place);
  renderAhead();
  await settled();
  expect(laidOut).toEqual([]);
});
