import { makeAdmin, type Signed, signInByBearer } from '../client.js';
import type { Recipe } from './requests.js';

/** Maximum number of strings from responses kept for later requests. */
const KNOWN_MAX = 400;
const ANSWER_MS_MAX = 30_000;
/** Matches response fields that another call may take. */
const NAMING = /(id|key|cursor|code|username|reference|type|source|period)$/i;

export interface Sent {
  status: number;
  contentType: string;
  text: string;
  /** The request, to repeat it by hand. */
  line: string;
}

/** Sends recipes to a running system as signed-in users, and collects ids and keys from its responses. */
export class Sender {
  readonly #known: string[] = [];
  #at = 0;
  readonly #signed = new Map<'user' | 'admin', Promise<Signed>>();

  constructor(readonly origin: string) {}

  async send(recipe: Recipe): Promise<Sent> {
    const { call, who, body, idempotencyKey } = recipe;
    const person = who === 'user' || who === 'admin' ? await this.#person(who) : await this.#person('user');
    const token = who === 'guest' ? undefined : who === 'forged' ? `${person.token}x` : person.token;
    const fill = (text: Recipe['path'][string], name: string): string => {
      if ('raw' in text) return text.raw;
      if ('own' in text) return encodeURIComponent(name === 'username' ? person.username : person.userId);
      const chosen = 'known' in text ? this.#known[text.known % Math.max(1, this.#known.length)] : text.text;
      return encodeURIComponent(chosen ?? 'early-adopter');
    };
    const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => fill(recipe.path[name] ?? { own: true }, name));
    const query = recipe.query.map(([name, text]) => `${encodeURIComponent(name)}=${fill(text, name)}`).join('&');
    const address = `/api${path}${query ? `?${query}` : ''}`;
    const response = await fetch(`${this.origin}${address}`, {
      method: call.method,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
      headers: {
        ...(body ? { 'content-type': body.type } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(idempotencyKey === null ? {} : { 'idempotency-key': encodeURI(idempotencyKey) }),
      },
      ...(body ? { body: body.text } : {}),
    });
    const text = await response.text();
    const { status } = response;
    if (status === 200) this.#note(text);
    // It has ended its own session.
    if (status === 401 && (who === 'user' || who === 'admin')) this.#forget(who, person);
    if (status === 204 && call.method === 'DELETE' && who !== 'guest')
      this.#forget(who === 'admin' ? 'admin' : 'user', person);
    const line = `${who}: ${call.method} ${address}${body ? ` ${body.type} ${body.text.slice(0, 300)}` : ''}`;
    return { status, contentType: response.headers.get('content-type') ?? '', text, line };
  }

  #person(who: 'user' | 'admin'): Promise<Signed> {
    const signed = this.#signed.get(who) ?? this.#signIn(who);
    this.#signed.set(who, signed);
    return signed;
  }

  async #signIn(who: 'user' | 'admin'): Promise<Signed> {
    const signed = await signInByBearer(this.origin);
    return who === 'admin' ? makeAdmin(signed) : signed;
  }

  #forget(who: 'user' | 'admin', person: Signed): void {
    void this.#signed.get(who)?.then((now) => {
      if (now === person) this.#signed.delete(who);
    });
  }

  #note(text: string): void {
    try {
      JSON.parse(text, (name, value) => {
        if (typeof value === 'string' && value.length <= 128 && NAMING.test(name)) this.#remember(value);
        return value;
      });
    } catch {
      // The judge reports invalid JSON.
    }
  }

  #remember(value: string): void {
    if (this.#known.includes(value)) return;
    this.#known[this.#at % KNOWN_MAX] = value;
    this.#at += 1;
  }
}
