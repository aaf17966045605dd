import { ArrowLeft } from 'lucide-react';
import s from './back-button.module.css';
import { Button, ButtonLink } from './button';

export interface BackButtonProps {
  onClick?: (() => void) | undefined;
  /** Target of the link, instead of `onClick`. */
  href?: string | undefined;
  /** Name of the page to return to. */
  children: string;
}

/** The back button above the title of a full view. */
export function BackButton({ onClick, href, children }: BackButtonProps) {
  const look = { variant: 'ghost', size: 'sm', className: s.back, icon: <ArrowLeft /> } as const;
  if (href === undefined) {
    return (
      <Button {...look} onClick={onClick}>
        {children}
      </Button>
    );
  }
  return (
    <ButtonLink {...look} href={href}>
      {children}
    </ButtonLink>
  );
}
