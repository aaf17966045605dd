import type { SVGProps } from 'react';

export interface MarkProps extends Omit<SVGProps<SVGSVGElement>, 'ref' | 'd'> {
  /** px. */
  size?: number | undefined;
}

/** A brand mark from simple-icons (CC0) by its path, in the text colour. It needs a text or label beside it. */
export function BrandMark({ size = 18, d, ...rest }: MarkProps & { d: string }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true" {...rest}>
      <path d={d} />
    </svg>
  );
}

/** Its numbers are rounded to hundredths of the 24 units to save bytes: it is part of every first visit. */
const DISCORD =
  'M20.32 4.37a19.79 19.79 0 00-4.89-1.52.07.07 0 00-.08.04c-.21.38-.44.86-.61 1.25-1.84-.28-3.68-.28-5.49 0-.16-.39-.41-.87-.62-1.25a.08.08 0 00-.08-.04 19.74 19.74 0 00-4.89 1.51.07.07 0 00-.03.03C.53 9.05-.32 13.58.1 18.06a.08.08 0 00.03.06c2.05 1.51 4.04 2.42 5.99 3.03a.08.08 0 00.08-.03c.46-.63.87-1.3 1.23-1.99a.08.08 0 00-.04-.11c-.65-.25-1.27-.55-1.87-.89a.08.08 0 01-.01-.13c.13-.09.25-.19.37-.29a.07.07 0 01.08-.01c3.93 1.79 8.18 1.79 12.06 0a.07.07 0 01.08.01c.12.1.25.2.37.29a.08.08 0 01-.01.13 12.3 12.3 0 01-1.87.89.08.08 0 00-.04.11c.36.7.77 1.36 1.23 1.99a.08.08 0 00.08.03c1.96-.61 3.95-1.52 6-3.03a.08.08 0 00.03-.06c.5-5.18-.84-9.67-3.55-13.66a.06.06 0 00-.03-.03zM8.02 15.33c-1.18 0-2.16-1.09-2.16-2.42 0-1.33.96-2.42 2.16-2.42 1.21 0 2.18 1.1 2.16 2.42 0 1.33-.96 2.42-2.16 2.42zm7.97 0c-1.18 0-2.16-1.09-2.16-2.42 0-1.33.96-2.42 2.16-2.42 1.21 0 2.18 1.1 2.16 2.42 0 1.33-.95 2.42-2.16 2.42Z';

export function DiscordMark(props: MarkProps) {
  return <BrandMark {...props} d={DISCORD} />;
}
