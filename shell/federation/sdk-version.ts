/** Version of the sdk that this shell carries; a module names the range it works with. */
export const SDK_VERSION = '1.3.0';
