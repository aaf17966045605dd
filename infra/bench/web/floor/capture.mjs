/** Attributes that are there or not; React wants a boolean for them. */
const FLAGS = ['hidden', 'disabled', 'checked', 'inert', 'readonly', 'required', 'open', 'autofocus'];

/** What a page ended with: its style sheets and the markup under its root, as plain data. @returns {Promise<{styles: string[], inlined: string[], theme: string, markup: object[]}>} */
export function capture(page) {
  return page.evaluate(capturePage, FLAGS);
}

/** Runs in the page. */
function capturePage(flags) {
  const propsOf = (element) =>
    Object.fromEntries(
      [...element.attributes].map(({ name, value }) => {
        if (name === 'style') return [name, styleOf(element)];
        if (name === 'class') return ['className', value];
        if (name === 'for') return ['htmlFor', value];
        return [name, flags.includes(name) ? true : value];
      }),
    );
  const styleOf = ({ style }) =>
    Object.fromEntries(
      [...style].map((name) => [
        name.startsWith('--') ? name : name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()),
        style.getPropertyValue(name),
      ]),
    );
  const nodeOf = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    // Typed text is no attribute; without a value React leaves a field to itself.
    return [node.localName, { ...propsOf(node), value: undefined }, ...childrenOf(node)];
  };
  const childrenOf = (element) =>
    [...element.childNodes]
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE || nodeType === Node.ELEMENT_NODE)
      .map(nodeOf);
  return {
    styles: [...document.querySelectorAll('link[rel="stylesheet"]')].map(({ href }) => href),
    inlined: [...document.querySelectorAll('head style')].map(({ textContent }) => textContent),
    theme: document.documentElement.dataset.theme ?? '',
    markup: childrenOf(document.getElementById('root')),
  };
}
