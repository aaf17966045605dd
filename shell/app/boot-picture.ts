/**
 * The loading screen's picture as index.html brought it along, taken before the app has its place. The same address is the same
 * picture to the browser, so that its motion goes on.
 */
export const bootPicture = document.querySelector<HTMLImageElement>('#root img')?.src;
