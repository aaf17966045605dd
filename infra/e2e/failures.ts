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

const COMPLETE = '/api/users/:id/tasks/early-adopter/complete';
const claim = (page: Page) => button(page.getByTestId('task-early-adopter'), /^Claim/).click();

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
  {
    name: 'a task that is not there any more',
    tab: 'tasks',
    fault: { path: COMPLETE, status: 404, body: { error: 'Task not found' } },
    act: claim,
    shows: ['Task Error', 'Task not found'],
  },
  {
    name: 'a task that was completed elsewhere',
    tab: 'tasks',
    fault: { path: COMPLETE, status: 409, body: { error: 'This task has already been completed' } },
    act: claim,
    shows: ['Already Completed', 'This task has already been completed'],
  },
  {
    name: 'a completion refused, with the server’s text',
    tab: 'tasks',
    fault: { path: COMPLETE, status: 422, body: { error: 'This task is not complete yet' } },
    act: claim,
    shows: ['Completion Failed', 'This task is not complete yet'],
  },
  {
    name: 'a completion that broke',
    tab: 'tasks',
    fault: { path: COMPLETE, status: 500 },
    act: claim,
    shows: ['Completion Failed', 'Failed to complete task'],
  },
  {
    name: 'a completion that was lost on the way',
    tab: 'tasks',
    fault: { path: COMPLETE, status: 0 },
    act: claim,
    shows: ['Completion Failed', 'Network error. Check your connection and try again.'],
  },
  {
    name: 'a completion without permission',
    tab: 'tasks',
    fault: { path: COMPLETE, status: 403, body: { error: 'Forbidden' } },
    act: claim,
    shows: ['Completion Failed', 'Permission error. Please refresh the page and try again.'],
  },
  {
    name: 'a completion that the database refused',
    tab: 'tasks',
    fault: { path: COMPLETE, status: 422, body: { error: 'Database function failed: complete_task' } },
    act: claim,
    shows: ['Completion Failed', 'Database error occurred. Please try again.'],
  },
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
  {
    name: 'the check-in’s status',
    tab: 'tasks',
    fault: { path: '/api/daily-checkin/status/:id', status: 500 },
    shows: ['The check-in could not be loaded', 'Failed to load check-in status'],
  },
  {
    name: 'the check-in’s history',
    tab: 'tasks',
    fault: { path: '/api/daily-checkin/history/:id', status: 500 },
    shows: ['Failed to load check-in history'],
  },
  {
    name: 'the list of tasks',
    tab: 'tasks',
    fault: { path: '/api/users/:id/tasks', status: 500 },
    shows: ['Tasks could not be loaded'],
  },
  {
    name: 'the rankings',
    tab: 'leaderboard',
    fault: { path: '/api/leaderboard', status: 500 },
    shows: ['Rankings could not be loaded'],
  },
  {
    name: 'the referrals',
    tab: 'referrals',
    fault: { path: '/api/referrals/:id/stats', status: 500 },
    shows: ['Referrals could not be loaded', 'Error loading referral data: Failed to fetch referral stats'],
  },
  {
    name: 'the referral panel',
    tab: 'dashboard',
    fault: { path: '/api/referrals/:id/stats', status: 500 },
    shows: ['Error loading referral data: Failed to fetch referral stats'],
  },
  {
    name: 'the running session',
    tab: 'node',
    fault: { path: '/api/users/:id/mining/current', status: 500 },
    shows: ['Failed to get current session'],
  },
  {
    name: 'the settings',
    tab: 'settings',
    fault: { path: '/api/users/:id/settings', method: 'GET', status: 500 },
    shows: ['Your settings could not be loaded'],
  },
  {
    name: 'the sign-in sessions',
    tab: 'settings',
    fault: { path: '/api/auth/sessions', status: 500 },
    shows: ['Your sessions could not be loaded'],
  },
];
