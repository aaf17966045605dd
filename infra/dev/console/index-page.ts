import type { Area } from './area.js';
import type { ClockReading } from './clock/dev-clock.js';
import { type Html, html, wholePage } from './html.js';

const STEPS = ['10m', '1h', '8h', '25h', '7d'];

/** The index page of /dev: the areas of local mode, and the clock. */
export function indexPage(areas: readonly Area[], clock: ClockReading): Html {
  const days = (clock.offsetMs / 86_400_000).toFixed(2);
  return wholePage(
    'CORD: local mode',
    html`<main class="card">
<p class="ribbon">Local mode</p>
<header><h1>/dev</h1><p class="muted">What stands in for the outside world on this machine. None of it exists in production.</p></header>
<section aria-labelledby="clock"><h2 id="clock">It is ${clock.now}, ${days} days ahead</h2>
<form method="post" action="/dev/clock" class="steps">${STEPS.map((step) => html`<button name="advance" value="${step}">+ ${step}</button>`)}</form>
</section>
${areas.map(({ title, help }) => html`<section><h2>${title}</h2>${help.map((line) => html`<p>${line}</p>`)}</section>`)}
<section><h2>Faults</h2><p>POST /dev/faults {path, method?, status?, delayMs?, body?, times} makes the next matching calls fail; DELETE /dev/faults clears. In a path :name stands for one segment and * for anything; status 0 drops the connection.</p></section>
<footer><a class="cancel" href="/">Back to CORD</a></footer>
</main>`,
  );
}
