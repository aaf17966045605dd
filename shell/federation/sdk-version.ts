/** Versions of the sdk and the design system in this shell; a module declares compatible ranges. */
export const SDK_VERSION = '3.1.0';
export const UI_VERSION = '3.3.0';
/** Version of the federation runtime in this shell; a module declares the range it was built for. */
export const RUNTIME_VERSION = '2.9.2';
