/** The order of everything that happens: a queue of events by simulated time. Only one event happens at a time. */

/** What happens next, by time; of the same time, what was put in first. */
export class Scheduler {
  /** The simulated time, in milliseconds since the simulation began. Not whole: so much may happen in one. */
  now = 0;
  /** A heap. */
  #events = [];
  #count = 0;

  /** How many events wait. */
  get size() {
    return this.#events.length;
  }

  /**
   * Has something happen later.
   *
   * @param {number} ms from now
   * @param {() => void} happen
   * @param {boolean} [isIdle] whether the simulation may end before it
   * @returns the event, which {@link cancel} takes
   */
  after(ms, happen, isIdle = false) {
    const event = { at: this.now + Math.max(0, ms), number: this.#count++, happen, isIdle };
    if (!isIdle) this.busy++;
    this.#events.push(event);
    this.#rise(this.#events.length - 1);
    return event;
  }

  /** How many events wait before which the simulation may not end. */
  busy = 0;

  cancel(event) {
    if (event.happen === undefined) return;
    event.happen = undefined;
    if (!event.isIdle) this.busy--;
  }

  /** Takes the next event out, and sets the time to its own. `undefined` when nothing waits. */
  next() {
    for (;;) {
      const event = this.#take();
      if (event === undefined) return undefined;
      if (event.happen === undefined) continue;
      this.now = Math.max(this.now, event.at);
      if (!event.isIdle) this.busy--;
      const { happen } = event;
      event.happen = undefined;
      return happen;
    }
  }

  #take() {
    const [first] = this.#events;
    const last = this.#events.pop();
    if (first === undefined || last === first) return first;
    this.#events[0] = last;
    this.#sink(0);
    return first;
  }

  #rise(last) {
    const heap = this.#events;
    let at = last;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(heap[at], heap[above])) return;
      [heap[at], heap[above]] = [heap[above], heap[at]];
      at = above;
    }
  }

  #sink(first) {
    const heap = this.#events;
    let at = first;
    for (;;) {
      let least = at;
      for (const below of [2 * at + 1, 2 * at + 2]) {
        if (below < heap.length && isBefore(heap[below], heap[least])) least = below;
      }
      if (least === at) return;
      [heap[at], heap[least]] = [heap[least], heap[at]];
      at = least;
    }
  }
}

function isBefore(one, other) {
  return one.at < other.at || (one.at === other.at && one.number < other.number);
}
