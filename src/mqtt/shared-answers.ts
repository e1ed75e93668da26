/**
 * Shares the answer of a call among all callers with the same question. Only one call for a question runs at a time;
 * callers that ask during it share the next call. So an answer is never older than its question.
 */

/** The calls for one question. */
interface Asked<Answer> {
  /** Resolves when the call is over. */
  readonly running: Promise<void>;
  /** The answer for callers that asked after it began. */
  next?: Promise<Answer>;
}

/** Shares answers, without keeping any. */
export class SharedAnswers<Answer> {
  readonly #asked = new Map<string, Asked<Answer>>();

  /**
   * The answer to a question.
   *
   * @param key equal for equal questions
   * @param ask makes the call, if it has to be made
   * @throws whatever `ask` rejects with
   */
  to(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const asked = this.#asked.get(key);
    if (asked === undefined) return this.#call(key, ask);
    asked.next ??= asked.running.then(() => this.#call(key, ask));
    return asked.next;
  }

  #call(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const answer = ask();
    const end = () => {
      if (asked.next === undefined) this.#asked.delete(key);
    };
    const asked: Asked<Answer> = { running: answer.then(end, end) };
    this.#asked.set(key, asked);
    return answer;
  }
}
