import type { Page } from 'playwright-core';

/** Boolean attributes; React requires a boolean for them. */
const FLAGS = ['hidden', 'disabled', 'checked', 'inert', 'readonly', 'required', 'open', 'autofocus'];

/** A text, or an element: tag, properties, children. */
export type Markup = string | [tag: string, props: Record<string, unknown>, ...children: Markup[]];

/** The final state of a page: its style sheets and the markup under its root, as plain data. */
export interface Captured {
  /** Addresses. */
  styles: string[];
  inlined: string[];
  theme: string;
  markup: Markup[];
}

export function capture(page: Page): Promise<Captured> {
  return page.evaluate(capturePage, FLAGS);
}

/** Runs in the page. */
function capturePage(flags: string[]): Captured {
  const propsOf = (element: Element) =>
    Object.fromEntries(
      [...element.attributes].map(({ name, value }) => {
        if (name === 'style') return [name, styleOf(element as HTMLElement)];
        if (name === 'class') return ['className', value];
        if (name === 'for') return ['htmlFor', value];
        return [name, flags.includes(name) ? true : value];
      }),
    );
  const styleOf = ({ style }: HTMLElement) =>
    Object.fromEntries(
      [...style].map((name) => [
        name.startsWith('--') ? name : name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()),
        style.getPropertyValue(name),
      ]),
    );
  const nodeOf = (node: Node): Markup[] => {
    if (node instanceof Text) return [node.data];
    if (!(node instanceof Element)) return [];
    // Typed text is not an attribute; without a value React does not control the field.
    return [[node.localName, { ...propsOf(node), value: undefined }, ...childrenOf(node)]];
  };
  const childrenOf = (element: Element) => [...element.childNodes].flatMap(nodeOf);
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no root');
  return {
    styles: [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].map(({ href }) => href),
    inlined: [...document.querySelectorAll('head style')].map(({ textContent }) => textContent ?? ''),
    theme: document.documentElement.dataset.theme ?? '',
    markup: childrenOf(root),
  };
}
