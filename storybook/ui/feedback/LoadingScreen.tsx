import { CordDial } from '../cord/CordDial';
import { Logo } from '../identity/Logo';
import { say } from '../words';
import s from './LoadingScreen.module.css';

export interface LoadingScreenProps {
  text?: string | undefined;
}

const ADDS = { base: 5, age: 13, epoch: 2 };

/** While the app starts: the cord is laid around the logo. */
export function LoadingScreen({ text = say('loadingApp') }: LoadingScreenProps) {
  return (
    <div className={s.screen}>
      <CordDial state="starting" earned={0} rate={0} adds={ADDS} size={148}>
        <Logo size={44} />
      </CordDial>
      <p className={s.text} role="status">
        {text}
      </p>
    </div>
  );
}
