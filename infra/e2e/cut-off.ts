import type { Page } from 'playwright-core';

/**
 * Runs in the page. Finds content cut off at a side: outside the screen, its box or padding, or an ancestor's visible
 * area; too wide tables; numbers broken across lines, dial texts on the cord, values of one row at two heights. The
 * root clips overflow, so the document's width does not show it. Ignores ellipses, sideways scrolling and hidden text.
 */
const READ_CUT_OFF = `(() => {
  const SLACK_PX = 1;
  const found = [];
  const skipped = (element) => {
    for (let each = element; each && each !== document.body; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.visibility === 'hidden' || style.opacity === '0') return true;
      if (style.clipPath === 'inset(50%)') return true;
      if (/auto|scroll/.test(style.overflowX) && each.scrollWidth > each.clientWidth + SLACK_PX) return true;
      if (style.textOverflow === 'ellipsis') return true;
      if (each.tagName === 'svg' && each !== element) return true;
    }
    return false;
  };
  const nameOf = (element) => element.tagName.toLowerCase() + (element.className && element.className.baseVal === undefined ? '.' + String(element.className).split(' ')[0] : '');
  const innerRight = (box) => {
    const style = getComputedStyle(box);
    return box.getBoundingClientRect().right - Number.parseFloat(style.borderRightWidth) - Number.parseFloat(style.paddingRight);
  };
  const check = (element, rect, what) => {
    if (rect.width === 0 || rect.height === 0 || rect.bottom < -200) return;
    const over = (limit, by) => found.push(what + ' is ' + Math.round(by) + ' px beyond ' + limit);
    if (rect.right > innerWidth + SLACK_PX) return over('the screen', rect.right - innerWidth);
    if (rect.left < -SLACK_PX) return over('the left of the screen', -rect.left);
    let placed = false;
    for (let box = element; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (style.display === 'inline' || style.display === 'contents') continue;
      const bordered = Number.parseFloat(style.borderRightWidth) > 0 && style.borderRightStyle !== 'none';
      const clips = /hidden|clip/.test(style.overflowX) && box.id !== 'root';
      const edge = box.getBoundingClientRect();
      if ((bordered || clips) && rect.right > edge.right + SLACK_PX) return over('its ' + nameOf(box), rect.right - edge.right);
      const inner = innerRight(box);
      if ((bordered || style.boxShadow !== 'none') && box !== element && !placed && rect.right > inner + SLACK_PX) return over('the padding of its ' + nameOf(box), rect.right - inner);
      // What is placed by hand lies where it is meant to.
      placed ||= /absolute|fixed/.test(style.position) || Number.parseFloat(style.marginRight) < 0 || style.transform !== 'none';
    }
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue.trim();
    const element = node.parentElement;
    if (text === '' || !element || /^(SCRIPT|STYLE|OPTION)$/.test(element.tagName) || !element.checkVisibility() || skipped(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()];
    if (/^[+-]?\\d[\\d.,]*$/.test(text) && new Set(rects.map(({ top }) => Math.round(top))).size > 1) found.push('"' + text + '" is broken over lines');
    for (const rect of rects) check(element, rect, '"' + text.slice(0, 40) + '"');
  }
  for (const element of document.querySelectorAll('button, input, textarea, img, a[href], [role=progressbar]')) {
    if (!element.checkVisibility() || skipped(element)) continue;
    const name = element.getAttribute('aria-label') || element.textContent.trim().slice(0, 40) || element.getAttribute('data-testid') || '';
    check(element, element.getBoundingClientRect(), nameOf(element) + ' ' + name);
  }
  for (const table of document.querySelectorAll('table')) {
    if (!table.checkVisibility() || skipped(table)) continue;
    const over = table.getBoundingClientRect().right - innerRight(table.parentElement);
    if (over > SLACK_PX) found.push('table ' + (table.caption ? table.caption.textContent : nameOf(table)) + ' is ' + Math.round(over) + ' px wider than its place');
  }
  for (const ring of document.querySelectorAll('[data-ring]')) {
    const dial = ring.parentElement.parentElement;
    const round = dial.getBoundingClientRect();
    // As the dial is laid out (services/contracts/drawing/dial.ts), and half of a line is above and below its letters.
    const inner = 0.3118 * round.width + SLACK_PX;
    const within = document.createTreeWalker(dial, NodeFilter.SHOW_TEXT);
    for (let node = within.nextNode(); node; node = within.nextNode()) {
      if (node.nodeValue.trim() === '' || node.parentElement.closest('svg') || skipped(node.parentElement)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const { left, right, top, bottom, height } of range.getClientRects()) {
        const [x, y] = [round.left + round.width / 2, round.top + round.height / 2];
        const far = Math.hypot(Math.max(x - left, right - x), Math.max(y - top, bottom - y) - height / 4);
        if (far > inner) found.push('"' + node.nodeValue.trim() + '" is ' + Math.round(far - inner) + ' px into the cord');
      }
    }
  }
  for (const list of document.querySelectorAll('dl')) {
    const heights = new Map();
    for (const cell of list.children) {
      const value = cell.querySelector(':scope > dt + dd');
      if (!value || !value.checkVisibility()) continue;
      const row = Math.round(cell.getBoundingClientRect().top);
      const top = value.getBoundingClientRect().top;
      const first = heights.get(row) ?? top;
      heights.set(row, first);
      if (Math.abs(top - first) > SLACK_PX) found.push('"' + value.textContent.trim() + '" is not as high as the value beside it');
    }
  }
  return [...new Set(found)];
})()`;

/** Returns what is cut off on the current page, one line each. */
export async function cutOff(page: Page): Promise<string[]> {
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  return page.evaluate<string[]>(READ_CUT_OFF);
}

/** Widths from the narrowest phone to a desk; 720 is a desk at 200 %. */
export const WIDTHS_PX = [320, 390, 720, 1024, 1440] as const;

/** Returns what is cut off at each width, one line each, prefixed with the width. */
export async function cutOffAtAll(page: Page, widthsPx: readonly number[] = WIDTHS_PX): Promise<string[]> {
  const found: string[] = [];
  for (const width of widthsPx) {
    await page.setViewportSize({ width, height: 900 });
    found.push(...(await cutOff(page)).map((line) => `${width}: ${line}`));
  }
  return found;
}

const RICH = 987_654_321.43;
/** Sums of CORD in responses. */
const SUMS =
  /"(current_balance|lastsavedbalance|total_earned|daily_earnings|weekly_earnings|monthly_earnings|newBalance|period_earned|totalMined|balance|referralEarnings|totalEpochEarnings|total)":-?\d+(?:\.\d+)?/g;

/** Changes all later responses to have nine-digit sums. */
export async function makeRich(page: Page): Promise<void> {
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch().catch(() => null);
    if (response === null) return route.abort();
    const type = response.headers()['content-type'] ?? '';
    if (!type.includes('json')) return route.fulfill({ response });
    const body = (await response.text()).replace(SUMS, (_, name: string) => `"${name}":${RICH}`);
    return route.fulfill({ response, body });
  });
}
