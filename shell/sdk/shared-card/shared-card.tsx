import { CARD, downloadedCardPath } from '@cord/contracts/drawing/card';
import { ButtonLink, cx, Stack } from '@cord/ui';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useMediaQuery } from '../media-query';
import s from './shared-card.module.css';

interface SharedCardProps {
  /** Path of the card (drawing/card.ts). */
  path: string;
  alt: string;
  /** File name of the download. */
  file: string;
  /** Label of the download link. */
  download: string;
}

/** The preview card of a link, with a download in the colours of the page's theme. */
export function SharedCard({ path, alt, file, download }: SharedCardProps) {
  const [come, setCome] = useState(false);
  const isDeviceDark = useMediaQuery('(prefers-color-scheme: dark)');
  return (
    <Stack gap={8} align="start" className="l-whole">
      <img
        src={path}
        alt={alt}
        width={CARD.width}
        height={CARD.height}
        loading="lazy"
        className={cx(s.card, !come && s.awaited)}
        onLoad={() => setCome(true)}
        onError={() => setCome(true)}
      />
      <ButtonLink
        href={downloadedCardPath(path, document.documentElement.dataset.theme, isDeviceDark)}
        download={file}
        variant="ghost"
        size="sm"
        icon={<Download />}
      >
        {download}
      </ButtonLink>
    </Stack>
  );
}
