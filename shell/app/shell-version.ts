declare const __CORD_BUILD__: string | undefined;

/** Which version of the shell this page runs, as it is published. */
export const SHELL_VERSION = typeof __CORD_BUILD__ === 'string' ? __CORD_BUILD__ : 'unbuilt';
