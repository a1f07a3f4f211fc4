// Our wrapper around `fetch`. SillyTavern announces no import, but all its imports go through the global
// `fetch` (public/script.js, importCharacter): seeing them means standing there. It must never be the reason
// why SillyTavern's own request fails.

/** A request that one of our handlers may look at. Nothing that is read here is consumed. */
export interface HookedRequest {
  readonly path: string;
  /** The posted form, or undefined when the body is none. */
  form(): Promise<FormData | undefined>;
  /** The posted JSON, or undefined when the body is none. */
  json(): Promise<unknown>;
}

/** Sends the request, once, however often it is called; `form`, at the first call, goes out in place of its body. */
export type Send = (form?: FormData) => Promise<Response>;

/**
 * What we do at one endpoint. It returns what SillyTavern shall see: the response of `send` itself, or an answer of
 * our own.
 */
export type EndpointHandler = (request: HookedRequest, send: Send) => Promise<Response>;

/** How the wrapper is set up. */
export interface FetchHookOptions {
  /** Asked at every request that matches; false passes it through. */
  readonly enabled: () => boolean;
  /** Path of an endpoint -> what we do at a POST to it. */
  readonly endpoints: Readonly<Record<string, EndpointHandler>>;
  /** Told of every failure of ours; SillyTavern's request went on regardless. */
  readonly onError: (error: unknown) => void;
}

/** The wrapper in place. */
export interface FetchHook {
  /** False when another copy of us was there first and does the work. */
  readonly installed: boolean;
  /** Stops looking, and puts the original back if `fetch` is still ours. */
  uninstall(): void;
}

interface Installation {
  readonly original: typeof fetch;
  readonly wrapper: typeof fetch;
  options: FetchHookOptions | undefined;
}

// On the global object, not in this module: a second copy of the bundle must find it.
const MARK = Symbol.for('loreferry.fetch');
const page = globalThis as typeof globalThis & { [MARK]?: Installation };

/**
 * Puts the wrapper around `fetch`, once. Where another extension has wrapped ours since, a later install only
 * wakes it up again.
 *
 * @returns the handle to take it off
 */
export function installFetchHook(options: FetchHookOptions): FetchHook {
  let installation = page[MARK];
  // Someone has put back the original over our head: our wrapper is in no chain any more.
  if (installation && page.fetch === installation.original) installation = undefined;
  if (installation?.options) return { installed: false, uninstall: () => {} };
  if (installation) installation.options = options;
  else {
    installation = wrap(options);
    page[MARK] = installation;
    page.fetch = installation.wrapper;
  }
  const mine = installation;
  return {
    installed: true,
    uninstall: () => {
      if (mine.options !== options) return;
      mine.options = undefined;
      if (page.fetch !== mine.wrapper) return;
      page.fetch = mine.original;
      delete page[MARK];
    },
  };
}

/**
 * The `fetch` below our wrapper: for our own requests.
 *
 * @returns a function that needs no `this`
 */
export function originalFetch(): typeof fetch {
  const below = page[MARK]?.original ?? page.fetch;
  return (input, init) => below.call(globalThis, input, init);
}

function wrap(options: FetchHookOptions): Installation {
  const original = page.fetch;
  const installation: Installation = {
    original,
    options,
    wrapper: (input, init) => {
      const send: Send = (form) =>
        original.apply(globalThis, form === undefined ? [input, init] : withForm(input, init, form));
      const found = handlerFor(installation.options, input, init);
      return found ? handled(found, send) : send();
    },
  };
  return installation;
}

interface Found {
  readonly handler: EndpointHandler;
  readonly request: HookedRequest;
  readonly onError: FetchHookOptions['onError'];
}

function handlerFor(
  options: FetchHookOptions | undefined,
  input: RequestInfo | URL,
  init: RequestInit | undefined,
): Found | undefined {
  if (!options) return undefined;
  try {
    const request = input instanceof Request ? input : undefined;
    if ((init?.method ?? request?.method ?? 'GET').toUpperCase() !== 'POST') return undefined;
    const url = new URL(request ? request.url : String(input), globalThis.location.href);
    if (url.origin !== globalThis.location.origin || !Object.hasOwn(options.endpoints, url.pathname)) {
      return undefined;
    }
    const handler = options.endpoints[url.pathname];
    if (!handler || !options.enabled()) return undefined;
    return { handler, request: hookedRequest(url.pathname, request, init), onError: options.onError };
  } catch (error) {
    report(options.onError, error);
    return undefined;
  }
}

async function handled(found: Found, send: Send): Promise<Response> {
  let sent: Promise<Response> | undefined;
  const sendOnce: Send = (form) => {
    sent ??= send(form);
    return sent;
  };
  try {
    return await found.handler(found.request, sendOnce);
  } catch (error) {
    // A request that failed by itself fails for SillyTavern in the same way, and is no failure of ours.
    const response = await sendOnce();
    report(found.onError, error);
    return response;
  }
}

function hookedRequest(
  path: string,
  request: Request | undefined,
  init: RequestInit | undefined,
): HookedRequest {
  // A clone made now: once the request is on its way its body is gone. `init.body` wins over the request's.
  const copy = request && init?.body === undefined ? request.clone() : undefined;
  return {
    path,
    form: async () => (copy ? copy.clone().formData() : isForm(init?.body) ? init.body : undefined),
    json: async () => {
      if (copy) return copy.clone().json();
      return typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    },
  };
}

// The same request with another form. A content type that was set beside the old one names its boundary; the browser
// writes the new one's itself.
function withForm(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  form: FormData,
): [RequestInfo | URL, RequestInit] {
  const request = input instanceof Request ? input : undefined;
  const headers = new Headers(init?.headers ?? request?.headers);
  headers.delete('content-type');
  if (!request) return [input, { ...init, headers, body: form }];
  const { method, credentials, cache, redirect, referrerPolicy, signal } = request;
  const same = { method, credentials, cache, redirect, referrerPolicy, signal };
  return [request.url, { ...same, ...init, headers, body: form }];
}

function isForm(body: unknown): body is FormData {
  return (
    typeof body === 'object' && body !== null && Object.prototype.toString.call(body) === '[object FormData]'
  );
}

function report(onError: (error: unknown) => void, error: unknown): void {
  try {
    onError(error);
  } catch {
    // Nothing of ours may reach SillyTavern's request.
  }
}
