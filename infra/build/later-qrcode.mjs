import { createElement, useEffect, useState } from 'react';

/**
 * Stands in for qrcode.react in browser bundles: the code is drawn once its library has come. Few pages show one, and the
 * library is 6 KB gzip that every page would load with the design system. `qrcode-drawn` is the library itself (rspack.preset.mjs).
 */
export function QRCodeSVG(props) {
  const [Drawn, setDrawn] = useState(null);
  useEffect(() => {
    let current = true;
    import('qrcode-drawn').then(
      ({ QRCodeSVG: Loaded }) => current && setDrawn(() => Loaded),
      // The address stands beside the code: without its picture it can still be opened or copied.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, []);
  const { size, className, title } = props;
  return Drawn === null
    ? createElement('svg', {
        width: size,
        height: size,
        className,
        role: 'img',
        'aria-label': title,
        'aria-busy': true,
      })
    : createElement(Drawn, props);
}
