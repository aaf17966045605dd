declare const __CORD_BUILD__: string | undefined;

/** Published version of the shell that runs in this page. */
export const SHELL_VERSION = typeof __CORD_BUILD__ === 'string' ? __CORD_BUILD__ : 'unbuilt';
