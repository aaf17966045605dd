import { SIGN_IN_TOO_OLD, signInAgainAt } from '@cord/contracts/addresses/auth';
import { ApiError, useTexts } from '@cord/sdk';
import { ButtonLink, Notice } from '@cord/ui';
import { SETTINGS_TEXTS } from './texts';

/** Whether a call was refused because the user must sign in again first. */
export function isSignInTooOld(error: unknown): boolean {
  return error instanceof ApiError && error.type === SIGN_IN_TOO_OLD;
}

/** Leads to a new sign-in that comes back to this page. */
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

/** The same in the sentence of a dialog that failed. */
export function SignInAgainLine() {
  const t = useTexts(SETTINGS_TEXTS);
  return (
    <>
      {t.signInOld}. <a href={signInAgainAt(location.search)}>{t.signInAgain}</a>
    </>
  );
}
