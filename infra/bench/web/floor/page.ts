import { createInstance } from '@module-federation/enhanced/runtime';
import { createElement, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Markup } from './capture.ts';

/**
 * The floor page's own code, in the browser: what no page made of React and modules can do without. The runtime is set up, and React
 * makes the markup that the other page ended with (capture.ts).
 */
createInstance({ name: 'cord_floor', remotes: [], shared: {} });

const markup: Markup[] = JSON.parse(document.getElementById('markup')?.textContent ?? '[]');
createRoot(document.getElementById('root') ?? document.body).render(markup.map(elementOf));

function elementOf(node: Markup): ReactNode {
  if (typeof node === 'string') return node;
  const [tag, props, ...children] = node;
  return createElement(tag, props, ...children.map(elementOf));
}
