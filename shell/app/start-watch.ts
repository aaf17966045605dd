/** API of the inline script in index.html that monitors the start, before and without the app's code. */
interface StartWatch {
  /** Shows a text and Reload in place of the page. @param why for the operators; omitted if already reported */
  failed(why?: string): void;
  /** Marks that the app has rendered. */
  done(): void;
}

declare global {
  interface Window {
    cordStart?: StartWatch;
  }
}

/** Returns the page's start monitor; none when the app runs in another page (tests, catalogue). */
export function startWatch(): StartWatch | undefined {
  return window.cordStart;
}
