// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { answerOf, ApiError } from '../src/lib/answers';

const answer = (body: string, status = 200) => answerOf(new Response(body, { status }));

test('an answer is what it says, and may be that there is nothing', async () => {
  expect(await answer('{"times":[1]}')).toEqual({ times: [1] });
  expect(await answer('null')).toBeNull();
});

test('one that was cut off or is of somebody else is none', async () => {
  await expect(answer('{"times":[1')).rejects.toThrow('cut off');
  await expect(answer('')).rejects.toThrow('cut off');
  await expect(answer('<html>Log in</html>')).rejects.toThrow("not the console's");
  await expect(answer('"ok"')).rejects.toThrow("not the console's");
});

test('a connection that ends within an answer is an error', async () => {
  const body = new ReadableStream({
    start(stream) {
      stream.enqueue(new TextEncoder().encode('{"columns":["cap"'));
      stream.error(new TypeError('network error'));
    },
  });
  await expect(answerOf(new Response(body))).rejects.toThrow('network error');
});

test('a refusal says why, or its status', async () => {
  await expect(answer('{"error":"no such job"}', 404)).rejects.toEqual(new ApiError(404, 'no such job'));
  await expect(answer('<html>', 502)).rejects.toThrow('status 502');
  await expect(answer('null', 500)).rejects.toBeInstanceOf(ApiError);
});
