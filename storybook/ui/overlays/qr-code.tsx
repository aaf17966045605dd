import { QRCodeSVG } from 'qrcode.react';
import { rem } from '../rem';
import s from './qr-code.module.css';

export interface QrCodeProps {
  /** What is encoded. */
  value: string;
  /** What it opens, for screen readers: "Solana Pay, 0.02 SOL". */
  label: string;
  /** px of the white tile. */
  size?: number | undefined;
}

/** Dark on white in both themes, so that any camera reads it. */
export function QrCode({ value, label, size = 220 }: QrCodeProps) {
  return (
    <div className={s.tile} style={{ width: rem(size) }} role="img" aria-label={label}>
      <QRCodeSVG value={value} size={size - 32} level="M" bgColor="#ffffff" fgColor="#0a100e" aria-hidden="true" />
    </div>
  );
}
