/** Versions of the sdk and the design system that this shell carries; a module names the ranges it works with. */
export const SDK_VERSION = '3.1.0';
export const UI_VERSION = '3.3.0';
/** The federation runtime that it gives them; a module names the range that it was built for. */
export const RUNTIME_VERSION = '2.9.2';
