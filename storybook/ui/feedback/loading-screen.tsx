import { uiText } from '../ui-texts';
import s from './loading-screen.module.css';

export interface LoadingScreenProps {
  /** Where `loading.svg` is: in the page itself before any script runs (shell/index.html). */
  picture: string | undefined;
}

/**
 * While the app starts: the cord is laid around the logo. A picture and no dial, which would keep the app itself
 * waiting.
 */
export function LoadingScreen({ picture }: LoadingScreenProps) {
  return (
    <div className={s.screen}>
      <img src={picture} width={148} height={148} alt="" />
      <p className="c-2" role="status">
        {uiText('loadingApp')}
      </p>
    </div>
  );
}
