/**
 * A picture as an address that holds it: the page (index.html) and the code that draws the same screen name it alike, so that
 * the browser takes it for one picture and its motion goes on.
 *
 * @param {Buffer} svg
 * @returns {string} `data:image/svg+xml,…`, fit for a quoted attribute
 */
export function svgAddress(svg) {
  return `data:image/svg+xml,${encodeURIComponent(svg.toString('utf8').replaceAll('\n', ''))}`;
}
