/** Versions of the sdk and the design system that this shell carries; a module names the ranges it works with. */
export const SDK_VERSION = '2.0.0';
export const UI_VERSION = '2.0.0';
