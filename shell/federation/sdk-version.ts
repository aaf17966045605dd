/** Version of the sdk that this shell carries; a module names the range it works with. */
export const SDK_VERSION = '2.0.0';
