import type { TestSdk } from '@cord/sdk/testing';
import { renderWithSdk, settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { TasksPage } from './tasks-page';

/** Returns the card of a task on the page. */
export const card = (id: string) => screen.getByTestId(`task-${id}`);
export const buttonIn = (id: string, name: string | RegExp) => within(card(id)).getByRole('button', { name });

/** Renders the Task Center, or another part of the module, and waits until it is loaded. */
export async function show(sdk: TestSdk, what = <TasksPage />) {
  const view = renderWithSdk(what, sdk);
  await settle();
  return view;
}

/** Returns the contents of the shown toasts. */
export function toasts(sdk: TestSdk) {
  return sdk.shown.map(({ kind, title, text, durationMs }) => [kind, title, text, durationMs]);
}
