import { ArrowLeft } from 'lucide-react';
import s from './back-button.module.css';
import { Button } from './button';

export interface BackButtonProps {
  onClick: () => void;
  /** What it leads back to. */
  children: string;
}

/** The way out of a full view, over its title. */
export function BackButton({ onClick, children }: BackButtonProps) {
  return (
    <Button variant="ghost" size="sm" className={s.back} icon={<ArrowLeft aria-hidden="true" />} onClick={onClick}>
      {children}
    </Button>
  );
}
