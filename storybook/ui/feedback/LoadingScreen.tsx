import { say } from '../words';
import s from './LoadingScreen.module.css';
import picture from './loading.svg';

export interface LoadingScreenProps {
  text?: string | undefined;
}

/**
 * While the app starts: the cord is laid around the logo. A file and no dial, because the page shows it before any script
 * runs (shell/index.html), and drawing a dial would keep the app itself waiting.
 */
export function LoadingScreen({ text = say('loadingApp') }: LoadingScreenProps) {
  return (
    <div className={s.screen}>
      <img src={picture} width={148} height={148} alt="" />
      <p className={s.text} role="status">
        {text}
      </p>
    </div>
  );
}
