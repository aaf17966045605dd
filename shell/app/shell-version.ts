declare const __CORD_BUILD__: string | undefined;

/** Which build of the shell this page runs. */
export const SHELL_VERSION = typeof __CORD_BUILD__ === 'string' ? __CORD_BUILD__ : 'unbuilt';
