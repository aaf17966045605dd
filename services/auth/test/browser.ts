/** A browser as far as a sign-in needs one: cookies by name, redirects followed by hand. */
export type Browser = ReturnType<typeof createBrowser>;

interface SignInOptions {
  account?: string;
  deny?: boolean;
  ref?: string;
  /** The query of the app to come back to. */
  back?: string;
  headers?: Record<string, string>;
}

export function createBrowser(serviceUrl: string, publicOrigin: string) {
  const cookies = new Map<string, string>();
  const keep = (response: Response) => {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      if (attributes.includes('Max-Age=0')) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const headersWith = (extra: Record<string, string>) => ({
    ...(cookies.size > 0 ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}),
    ...extra,
  });
  const browser = {
    cookies,
    /** Requests a path of the service; cookies go along and come back. */
    get: async (path: string, headers: Record<string, string> = {}) =>
      keep(await fetch(new URL(path, serviceUrl), { headers: headersWith(headers), redirect: 'manual' })),
    send: async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      keep(
        await fetch(new URL(path, serviceUrl), {
          method,
          redirect: 'manual',
          headers: headersWith({
            origin: publicOrigin,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          }),
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      ),
    /** Up to the callback's address, which is not called yet. */
    async toCallback({ account, deny, ref, back, headers }: SignInOptions) {
      const started = await browser.get(
        `/api/auth/discord?${new URLSearchParams({ ...(ref ? { ref } : {}), ...(back ? { back } : {}) })}`,
        headers,
      );
      const discord = new URL(started.headers.get('location') ?? '', publicOrigin);
      if (account) discord.searchParams.set('account', account);
      if (deny) discord.searchParams.set('deny', '1');
      const approved = await fetch(discord, { redirect: 'manual' });
      const { pathname, search } = new URL(approved.headers.get('location') ?? '');
      return pathname + search;
    },
    /** The whole sign-in; answers where the app ends up. `then` changes the request to Discord. */
    async signIn(options: SignInOptions) {
      const callback = await browser.toCallback(options);
      const answer = await browser.get(callback, options.headers);
      return answer.headers.get('location') ?? `no redirect but ${answer.status}`;
    },
  };
  return browser;
}
