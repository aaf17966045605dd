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

/** A task that is claimed and not credited. */
const completion = (name: string, fault: Omit<Fault, 'times' | 'path'>, ...shows: string[]): Failure => ({
  ...{ name, tab: 'tasks', shows },
  fault: { path: '/api/users/:id/tasks/early-adopter/complete', ...fault },
  act: (page) => button(page.getByTestId('task-early-adopter'), /^Claim/).click(),
});

/** An area that stays without its data: it is enough to open the tab. */
const area = (name: string, tab: Tab, path: string, ...shows: string[]): Failure => ({
  ...{ name, tab, shows },
  fault: { path, method: 'GET', status: 500 },
});

/** Toasts: title and text. */
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
    name: 'tasks that do not load',
    tab: 'tasks',
    fault: { path: '/api/users/:id/tasks', status: 500 },
    shows: ['Loading Error', 'Failed to load tasks. Please refresh the page.'],
  },
  completion(
    'a task that is not there any more',
    { status: 404, body: { error: 'Task not found' } },
    'Task Error',
    'Task not found',
  ),
  completion(
    'a task that was completed elsewhere',
    { status: 409, body: { error: 'This task has already been completed' } },
    'Already Completed',
    'This task has already been completed',
  ),
  completion(
    'a completion refused, with the server’s text',
    { status: 422, body: { error: 'This task is not complete yet' } },
    'Completion Failed',
    'This task is not complete yet',
  ),
  completion('a completion that broke', { status: 500 }, 'Completion Failed', 'Failed to complete task'),
  completion(
    'a completion that was lost on the way',
    { status: 0 },
    'Completion Failed',
    'Network error. Check your connection and try again.',
  ),
  completion(
    'a completion without permission',
    { status: 403, body: { error: 'Forbidden' } },
    'Completion Failed',
    'Permission error. Please refresh the page and try again.',
  ),
  completion(
    'a completion that the database refused',
    { status: 422, body: { error: 'Database function failed: complete_task' } },
    'Completion Failed',
    'Database error occurred. Please try again.',
  ),
  {
    name: 'a check-in that fails',
    tab: 'tasks',
    fault: { path: '/api/daily-checkin/perform', status: 500 },
    act: (page) => button(page, 'Check in for 55 CORD').click(),
    shows: ['Check-in Failed', 'Please try again'],
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

/** Words that stay on the page, with a way on. */
export const AREAS: Failure[] = [
  area(
    'the check-in’s status',
    'tasks',
    '/api/daily-checkin/status/:id',
    'The check-in could not be loaded',
    'Failed to load check-in status',
  ),
  area('the check-in’s history', 'tasks', '/api/daily-checkin/history/:id', 'Failed to load check-in history'),
  area('the list of tasks', 'tasks', '/api/users/:id/tasks', 'Tasks could not be loaded'),
  area('the rankings', 'leaderboard', '/api/leaderboard', 'Rankings could not be loaded'),
  area(
    'the referrals',
    'referrals',
    '/api/referrals/:id/stats',
    'Referrals could not be loaded',
    'Error loading referral data: Failed to fetch referral stats',
  ),
  area(
    'the referral panel',
    'dashboard',
    '/api/referrals/:id/stats',
    'Error loading referral data: Failed to fetch referral stats',
  ),
  area('the running session', 'node', '/api/users/:id/mining/current', 'Failed to get current session'),
  area('the settings', 'settings', '/api/users/:id/settings', 'Your settings could not be loaded'),
  area('the sign-in sessions', 'settings', '/api/auth/sessions', 'Your sessions could not be loaded'),
];
