/** What index.html's own script offers: it watches over the start, before and without the code of the app. */
interface StartWatch {
  /** A text and Reload in the place of the page. @param why for the operators; left out where it was reported already */
  failed(why?: string): void;
  /** The app has drawn itself. */
  done(): void;
}

declare global {
  interface Window {
    cordStart?: StartWatch;
  }
}

/** The page's watch over its start; none where the app is drawn in another page (tests, catalogue). */
export function startWatch(): StartWatch | undefined {
  return window.cordStart;
}
