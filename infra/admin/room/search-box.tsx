import { Input } from '@cord/ui';
import { Search } from 'lucide-react';
import { type Ref, useEffect, useEffectEvent, useState } from 'react';
import { ButtonKey } from './key';
import { KEYS } from './keys';
import s from './search-box.module.css';

const TYPING_PAUSE_MS = 300;

interface SearchBoxProps {
  ref?: Ref<HTMLInputElement>;
  /** Label and placeholder of the field. */
  label: string;
  term: string;
  /** The number of results as text, once known. */
  found?: string | undefined;
  onTerm: (term: string | null) => void;
}

/** A search field. The term is written to the URL after a pause in typing. */
export function SearchBox({ ref, label, term, found, onTerm }: SearchBoxProps) {
  const [typed, setTyped] = useState(term);
  const [known, setKnown] = useState(term);
  // The term changed elsewhere: restored from the last visit, or cleared by "Start over".
  if (term !== known) {
    setKnown(term);
    if (typed.trim() !== term) setTyped(term);
  }
  const emit = useEffectEvent(() => onTerm(typed.trim() || null));
  useEffect(() => {
    if (typed.trim() === term) return;
    const timer = setTimeout(() => emit(), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, term]);
  return (
    <Input
      ref={ref}
      className={s.search}
      type="search"
      label={label}
      labelHidden
      placeholder={label}
      icon={<Search size={18} />}
      trail={
        <>
          <span role="status" className={s.found}>
            {found}
          </span>
          {found === undefined && <ButtonKey of={KEYS.search} />}
        </>
      }
      maxLength={64}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
