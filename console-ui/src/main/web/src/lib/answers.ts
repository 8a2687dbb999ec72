// SPDX-License-Identifier: Apache-2.0
/** What the console answered, or why that is no answer. */

/** The console refuses what was asked, and says why. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The one way from a response to what it says. A refusal is thrown with the console's words, if it has some. An answer that was cut off, or that
 * somebody else gave, as a proxy that wants a login, is thrown too: it must not be taken for numbers.
 */
export async function answerOf<T>(response: Response): Promise<T> {
  if (!response.ok) {
    const said = (await response.json().catch(() => null)) as { error?: string } | null;
    throw new ApiError(response.status, said?.error ?? `the console answers with status ${response.status}`);
  }
  let body: unknown;
  try {
    body = await response.json();
  } catch (e) {
    throw new Error(`the answer was cut off, or is not the console's (${(e as Error).message})`);
  }
  // null is an answer: there is nothing
  if (typeof body !== 'object') {
    throw new Error("the answer is not the console's");
  }
  return body as T;
}
