import type { TestSdk } from '@cord/sdk/testing';
import { renderWithSdk, settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { TasksPage } from './tasks-page';

/** The card of a task on the page. */
export const card = (id: string) => screen.getByTestId(`task-${id}`);
export const buttonIn = (id: string, name: string | RegExp) => within(card(id)).getByRole('button', { name });

/** Shows the Task Center, or another part of the module, with what it has loaded. */
export async function show(sdk: TestSdk, what = <TasksPage />) {
  const view = renderWithSdk(what, sdk);
  await settle();
  return view;
}

/** The toasts that were shown, as they read. */
export function toasts(sdk: TestSdk) {
  return sdk.shown.map(({ kind, title, text, durationMs }) => [kind, title, text, durationMs]);
}
