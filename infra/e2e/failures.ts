import type { Page } from 'playwright-core';
import type { Fault } from './faults.js';
import { button, type Tab } from './screens.js';

/** A call that fails, and what the page must show of it. */
interface Failure {
  /** What the user does, and the text that the page must show. */
  name: string;
  tab: Tab;
  fault: Omit<Fault, 'times'>;
  /** Left out where opening the tab is enough. */
  act?: (page: Page) => Promise<void>;
  shows: string[];
}

/** An area that stays without its data: it is enough to open the tab. */
const area = (name: string, tab: Tab, path: string, ...shows: string[]): Failure => ({
  ...{ name, tab, shows },
  fault: { path, method: 'GET', status: 500 },
});

/** Toasts, title and text, of one click and where no test of a page has the failure (*.test.tsx of the modules, with every text). */
export const TOASTS: Failure[] = [
  {
    name: 'a node that does not start',
    tab: 'node',
    fault: { path: '/api/users/:id/mining/start', status: 503 },
    act: (page) => button(page, 'Start Mining').click(),
    shows: ['Failed to Start Node', 'Failed to start mining'],
  },
  {
    name: 'a node that the server refuses to start, with the server’s text',
    tab: 'node',
    fault: { path: '/api/users/:id/mining/start', status: 422, body: { error: 'Not now' } },
    act: (page) => button(page, 'Start Mining').click(),
    shows: ['Failed to Start Node', 'Not now'],
  },
  {
    name: 'a setting that is not saved',
    tab: 'settings',
    fault: { path: '/api/users/:id/settings', method: 'PUT', status: 500 },
    act: (page) => page.getByRole('switch', { name: 'Auto-start' }).click(),
    shows: ['Not saved', 'Failed to update user settings'],
  },
  {
    name: 'an export that fails',
    tab: 'settings',
    fault: { path: '/api/users/:id/export', status: 500 },
    act: (page) => button(page, 'Export').click(),
    shows: ['Export failed'],
  },
];

/** Words that stay on the page, with a way on; likewise. */
export const AREAS: Failure[] = [
  area(
    'the check-in’s status',
    'tasks',
    '/api/daily-checkin/status/:id',
    'The check-in could not be loaded',
    'Failed to load check-in status',
  ),
  area('the list of tasks', 'tasks', '/api/users/:id/tasks', 'Tasks could not be loaded'),
  area('the settings', 'settings', '/api/users/:id/settings', 'Your settings could not be loaded'),
];
