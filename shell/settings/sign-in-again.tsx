import { SIGN_IN_TOO_OLD, signInAgainAt } from '@cord/contracts/addresses/auth';
import { ApiError, useTexts } from '@cord/sdk';
import { ButtonLink, Notice } from '@cord/ui';
import { SETTINGS_TEXTS } from './texts';

/** Whether a call was refused because it needs a recent sign-in. */
export function isSignInTooOld(error: unknown): boolean {
  return error instanceof ApiError && error.type === SIGN_IN_TOO_OLD;
}

/** Link to a new sign-in that returns to this page. */
export function SignInAgain() {
  const t = useTexts(SETTINGS_TEXTS);
  return (
    <Notice
      look="inline"
      tone="warn"
      title={t.signInOld}
      announce
      action={
        <ButtonLink variant="primary" size="sm" href={signInAgainAt(location.search)}>
          {t.signInAgain}
        </ButtonLink>
      }
    >
      {t.signInBack}
    </Notice>
  );
}

/** As `SignInAgain`, within a sentence of a failed dialog. */
export function SignInAgainLine() {
  const t = useTexts(SETTINGS_TEXTS);
  return (
    <>
      {t.signInOld}. <a href={signInAgainAt(location.search)}>{t.signInAgain}</a>
    </>
  );
}
