import { ArrowLeft } from 'lucide-react';
import s from './back-button.module.css';
import { Button, ButtonLink } from './button';

export interface BackButtonProps {
  onClick?: (() => void) | undefined;
  /** Where it leads as a link, instead of `onClick`. */
  href?: string | undefined;
  /** What it leads back to. */
  children: string;
}

/** The way out of a full view, over its title. */
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
