import { expect, waitFor } from 'storybook/test';

/** Gives the focus to each control of a place, also from the last to the first: bars that stay in sight hide none of them. */
export async function expectNoneHidden(place: HTMLElement): Promise<void> {
  const controls = [...place.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea')];
  await expect(controls.length).toBeGreaterThan(0);
  for (const control of [...controls, ...controls.toReversed()]) {
    control.focus();
    if (document.activeElement !== control) continue;
    const name = control.getAttribute('aria-label') ?? control.textContent;
    // Once what slides in has come to rest.
    await waitFor(() => {
      const { left, top, width, height } = control.getBoundingClientRect();
      const seen = document.elementFromPoint(left + width / 2, top + height / 2);
      expect([name, control.contains(seen) || seen?.contains(control)]).toEqual([name, true]);
    });
  }
}
