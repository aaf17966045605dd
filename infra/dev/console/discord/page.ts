import { displayedAge } from '@cord/contracts/rules/age';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { tierHundredths } from '@cord/contracts/rules/tiers';
import { type Html, html, wholePage } from '../html.js';
import { type Account, createdAtMs } from './accounts.js';

const COLOURS = 6;

interface Choice {
  /** The query of the page; each choice repeats it. */
  query: string;
  accounts: Account[];
  nowMs: number;
  refusal: string | undefined;
}

/** The authorization page of the stand-in: pick an account, create one, or cancel. */
export function authorizePage({ query, accounts, nowMs, refusal }: Choice): Html {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  return wholePage(
    'Authorize CORD (Discord stand-in)',
    html`<main class="card">
<p class="ribbon">Local mode: this page stands in for Discord</p>
<header>
<div class="pair" aria-hidden="true"><span class="mark">C</span><span class="dots">&#8226;&#8226;&#8226;</span><span class="mark discord">D</span></div>
<h1>CORD wants to access your account</h1>
<p class="muted">It will see your username, avatar and the age of the account.</p>
</header>
${refusal === undefined ? html`` : html`<p class="refusal" role="alert">${refusal}</p>`}
<section aria-labelledby="pick">
<h2 id="pick">Continue as</h2>
<ul class="accounts">${accounts.map((account) => choice(account, query, nowMs))}</ul>
</section>
<section aria-labelledby="make">
<h2 id="make">Or with a new account</h2>
<form method="post" action="/dev/discord/oauth2/authorize?${query}" class="new">
<label>Username <input name="username" required minlength="1" maxlength="32" autocomplete="off" spellcheck="false"></label>
<label>Display name <span class="muted">(optional)</span> <input name="globalName" maxlength="32" autocomplete="off"></label>
<label>Created on <span class="muted">(its age sets the multiplier)</span> <input name="createdAt" type="date" min="2015-01-01" max="${today}"></label>
<button type="submit">Create and authorize</button>
</form>
</section>
<footer><a class="cancel" href="/dev/discord/oauth2/authorize?${query}&amp;deny=1">Cancel</a></footer>
</main>`,
  );
}

function choice(account: Account, query: string, nowMs: number): Html {
  const shown = account.globalName ?? account.username;
  const bornMs = createdAtMs(account);
  const age = displayedAge(bornMs, nowMs).toFixed(1);
  const multiplier = Number(tierHundredths(FIRST_BOOK, nowMs - bornMs)) / 100;
  const initial = [...shown][0] ?? '?';
  return html`<li><a href="/dev/discord/oauth2/authorize?${query}&amp;account=${account.id}">
${picture(account, initial)}
<span class="who"><strong>${shown}</strong><span class="muted">${account.username}</span></span>
<span class="age">${age} years<span class="muted">${multiplier}x</span></span>
</a></li>`;
}

/** The account's picture; without one, its initial on one of six colours. */
function picture({ id, avatar }: Account, initial: string): Html {
  const colour = Number(BigInt(id) % BigInt(COLOURS));
  if (avatar === null || avatar.startsWith('data:')) {
    return html`<span class="avatar colour-${colour}" aria-hidden="true">${initial.toUpperCase()}</span>`;
  }
  return html`<img class="avatar" alt="" width="40" height="40" src="/dev/discord/cdn/avatars/${id}/${avatar}.png">`;
}

/** The error page for a wrong request of a site, as in Discord. */
export function refusedPage(reason: string): Html {
  return wholePage(
    'Error (Discord stand-in)',
    html`<main class="card"><p class="ribbon">Local mode: this page stands in for Discord</p>
<header><h1>${reason}</h1><p class="muted">The site that sent you here sent a request that cannot be granted.</p></header>
<footer><a class="cancel" href="/">Back to CORD</a></footer></main>`,
  );
}
