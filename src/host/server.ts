// Requests to SillyTavern's server. They go out through the fetch that was there before our own wrapper, so
// that our writes are not taken for the user's.

import { context, t } from './context.ts';
import { originalFetch } from './fetch-hook.ts';

/** The server did not do what it was asked. `message` is one sentence for a person. */
export class ServerError extends Error {
  /** The HTTP status, or 0 when no answer came. */
  readonly status: number;
  readonly path: string;

  constructor(status: number, path: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServerError';
    this.status = status;
    this.path = path;
  }
}

/**
 * Posts JSON to an endpoint of SillyTavern's server, with the headers that it demands (CSRF token).
 *
 * @param path the endpoint, e.g. `/api/worldinfo/edit`
 * @param body any JSON value
 * @returns the answer, its body not yet read
 * @throws {ServerError} for a status outside 200 to 299, and (status 0) when no answer came
 */
export async function post(path: string, body: unknown): Promise<Response> {
  let response: Response;
  try {
    response = await originalFetch()(path, {
      method: 'POST',
      headers: { ...context().getRequestHeaders?.(), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      cache: 'no-cache',
    });
  } catch (cause) {
    throw new ServerError(0, path, t`SillyTavern's server did not answer.`, { cause });
  }
  if (response.ok) return response;
  const detail = await detailOf(response);
  const { status } = response;
  throw new ServerError(
    status,
    path,
    detail
      ? t`SillyTavern answered with error ${status} (${detail}).`
      : t`SillyTavern answered with error ${status}.`,
  );
}

/**
 * Posts JSON and reads JSON back.
 *
 * @returns the parsed answer, not checked: guard it with a schema
 * @throws {ServerError} as {@link post}, and when the answer is no JSON
 */
export async function postJson(path: string, body: unknown): Promise<unknown> {
  const response = await post(path, body);
  try {
    return await response.json();
  } catch (cause) {
    throw new ServerError(response.status, path, t`SillyTavern's answer could not be read.`, { cause });
  }
}

// Errors come as {message, error} (merge-attributes, 1.19), as a plain sentence (worldinfo/edit) or, from an
// exception in a handler, as Express's HTML page with a stack, which is for no reader.
async function detailOf(response: Response): Promise<string> {
  try {
    const text = (await response.text()).trim();
    const parsed = parse(text);
    const words = parsed
      ? [parsed['message'], parsed['error']].filter((word) => typeof word === 'string').join(': ')
      : text.includes('<') || text === response.statusText
        ? ''
        : text;
    return words.replace(/\s+/g, ' ').replace(/\.$/, '').slice(0, 160);
  } catch {
    return '';
  }
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
