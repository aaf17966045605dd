import type { Page } from 'playwright-core';

export const approve = (page: Page) => page.getByRole('button', { name: 'Approve' }).click();
export const purchase = (page: Page) => page.getByRole('button', { name: 'Purchase Badge' });

/** Selects the development wallet in the open dialog, gives it SOL, and connects it. */
export async function connectWallet(page: Page): Promise<string> {
  await page
    .getByTestId('connect-wallet')
    .getByRole('button', { name: /Development Wallet/ })
    .click();
  await page.getByText('Connect to CORD').waitFor();
  const address = (await page.getByTestId('wallet-address').textContent()) ?? '';
  await page.getByRole('button', { name: 'Get 1 SOL' }).click();
  await page.getByText('1 SOL', { exact: true }).waitFor();
  await approve(page);
  return address;
}
