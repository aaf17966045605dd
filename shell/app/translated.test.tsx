import { act, render } from '@testing-library/react';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { followTranslation } from './translated';

const { insertBefore, removeChild } = Node.prototype;

/* Two ways in which browsers translate; translated text is in capitals. */
const WAYS: Record<string, (text: Text, font: Element) => void> = {
  'puts in its place': (text, font) => text.replaceWith(font),
  'puts before it, and takes it away': (text, font) => {
    text.before(font);
    text.remove();
  },
};

function translate(root: Node, put: (text: Text, font: Element) => void): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (text.parentElement?.closest('font') || !text.data.trim()) continue;
    const font = document.createElement('font');
    font.append(document.createElement('font'));
    (font.firstChild as Element).textContent = text.data.toUpperCase();
    put(text, font);
  }
}

interface Claim {
  amount: number;
  state?: string | null;
  icon?: boolean;
  order?: readonly string[];
}

/** All combinations of texts with something else. */
function Claim({ amount, state = null, icon = false, order = [] }: Claim) {
  return (
    <p>
      {icon && <i>!</i>}
      claim {amount} cord{state}
      {order.map((key) => (
        <Plain key={key} text={key} />
      ))}
      <b>{amount}</b>
    </p>
  );
}
const Plain = ({ text }: { text: string }) => text;

describe.each(Object.entries(WAYS))('a page whose texts a browser translation %s', (_, put) => {
  let translator: MutationObserver;
  beforeAll(() => {
    followTranslation();
    translator = new MutationObserver(() => translate(document.body, put));
    translator.observe(document.body, { childList: true, subtree: true });
  });
  afterAll(() => {
    translator.disconnect();
    Object.assign(Node.prototype, { insertBefore, removeChild });
  });

  test.each<[string, Claim, Claim, string]>([
    ['shows what has changed', { amount: 1 }, { amount: 2 }, 'CLAIM 2 CORD2'],
    ['lets go of a text', { amount: 1, state: ', paid' }, { amount: 1 }, 'CLAIM 1 CORD1'],
    ['takes one in', { amount: 1 }, { amount: 1, state: ', paid' }, 'CLAIM 1 CORD, PAID1'],
    ['takes in what stands before a text', { amount: 1 }, { amount: 1, icon: true }, '!CLAIM 1 CORD1'],
    ['moves a text', { amount: 1, order: ['x', 'y', 'z'] }, { amount: 1, order: ['z', 'x'] }, 'CLAIM 1 CORDZX1'],
  ])('%s', async (_what, before, after, shown) => {
    const { container, rerender } = render(<Claim {...before} />);
    await act(async () => undefined);
    expect(container.querySelector('font')).not.toBeNull();
    rerender(<Claim {...after} />);
    await act(async () => new Promise((resolve) => setTimeout(resolve)));
    expect(container.textContent).toBe(shown);
  });
});
