import { createInstance } from '@module-federation/enhanced/runtime';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

/**
 * The floor page's own code, in the browser: what no page made of React and modules can do without. The runtime is set up, and React
 * makes the markup that the other page ended with (capture.mjs).
 */
createInstance({ name: 'cord_floor', remotes: [], shared: {} });

const markup = JSON.parse(document.getElementById('markup').textContent);
createRoot(document.getElementById('root')).render(markup.map(elementOf));

function elementOf(node) {
  if (typeof node === 'string') return node;
  const [tag, props, ...children] = node;
  return createElement(tag, props, ...children.map(elementOf));
}
