import { createInstance } from '@module-federation/enhanced/runtime';
import { createElement, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Markup } from './capture.ts';

/**
 * The floor page's code in the browser: the minimum of any page with React and modules. It sets up the runtime, and
 * React renders the markup captured from the real page (capture.ts).
 */
createInstance({ name: 'cord_floor', remotes: [], shared: {} });

const markup: Markup[] = JSON.parse(document.getElementById('markup')?.textContent ?? '[]');
createRoot(document.getElementById('root') ?? document.body).render(markup.map(elementOf));

function elementOf(node: Markup): ReactNode {
  if (typeof node === 'string') return node;
  const [tag, props, ...children] = node;
  return createElement(tag, props, ...children.map(elementOf));
}
