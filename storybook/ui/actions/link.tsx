import { ExternalLink } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from '../class-names';
import { VisuallyHidden } from '../feedback/visually-hidden';
import { uiText } from '../ui-texts';
import s from './link.module.css';

export interface LinkProps extends ComponentProps<'a'> {
  href: string;
  /** Opens in a new tab, with its icon. */
  external?: boolean | undefined;
}

/** A link in text: sky and underlined. */
export function Link({ external = false, className, children, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      {...(external ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
      className={cx(s.link, className)}
    >
      {children}
      {external && (
        <>
          <VisuallyHidden>{uiText('newTab')}</VisuallyHidden>
          <ExternalLink size={16} className={s.icon} />
        </>
      )}
    </a>
  );
}

/** A button that looks like a link in text, for targets within the page (another tab of the app). */
export function LinkButton({ className, ...rest }: ComponentProps<'button'>) {
  return <button type="button" {...rest} className={cx(s.link, className)} />;
}
