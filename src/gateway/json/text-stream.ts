/** Makes a stream of bytes from text that is made piece by piece, at the pace of its reader. */

const encoder = new TextEncoder();

/**
 * @param first what is there already
 * @param rest what is still to be made; stopped when the reader goes away. When it fails the stream breaks off, because
 *   the status of the answer has been sent
 */
export function textStream(first: string, rest: AsyncGenerator<string, void, void>): ReadableStream<Uint8Array> {
  let held = first;
  return new ReadableStream({
    async pull(controller) {
      while (held === "") {
        const next = await nextOf(rest);
        if (next.done) return controller.close();
        held = next.value;
      }
      controller.enqueue(encoder.encode(held));
      held = "";
    },
    async cancel() {
      await rest.return();
    },
  });
}

async function nextOf(rest: AsyncGenerator<string, void, void>): Promise<IteratorResult<string, void>> {
  try {
    return await rest.next();
  } catch (reason) {
    console.error("an answer broke off:", reason);
    throw reason;
  }
}
