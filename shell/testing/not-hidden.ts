import { expect, waitFor } from 'storybook/test';

/** Focuses each control of a place, forwards and backwards, and expects that sticky bars hide none of them. */
export async function expectNoneHidden(place: HTMLElement): Promise<void> {
  const controls = [...place.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea')];
  await expect(controls.length).toBeGreaterThan(0);
  for (const control of [...controls, ...controls.toReversed()]) {
    control.focus();
    if (document.activeElement !== control) continue;
    const name = control.getAttribute('aria-label') ?? control.textContent;
    // Waits for the end of transitions.
    await waitFor(() => {
      const { left, top, width, height } = control.getBoundingClientRect();
      const seen = document.elementFromPoint(left + width / 2, top + height / 2);
      expect([name, control.contains(seen) || seen?.contains(control)]).toEqual([name, true]);
    });
  }
}
