/** A minimal browser for a sign-in: cookies by name, redirects followed by hand. */
export type Browser = ReturnType<typeof createBrowser>;

interface SignInOptions {
  account?: string;
  deny?: boolean;
  ref?: string;
  /** The app's query to which the sign-in returns. */
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
    /** Requests a path of the service with cookies, and stores the response's cookies. */
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
    /** Returns the callback's address without calling it. */
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
    /** Signs in and returns the final location in the app. */
    async signIn(options: SignInOptions) {
      const callback = await browser.toCallback(options);
      const answer = await browser.get(callback, options.headers);
      return answer.headers.get('location') ?? `no redirect but ${answer.status}`;
    },
  };
  return browser;
}
