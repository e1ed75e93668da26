/**
 * Gradings of knowledge that was loaded without a record of forecasts. A processor of parts does them in pieces, between
 * which others get their turns; a twin without parts does each piece when the processor has done it.
 */

/** The gradings of a twin. */
export class ToldGradings {
  #processors;
  /**
   * How far each processor is, by its name, and in which life of the world's it came so far: the twin's processors leave
   * memory when those of the world do not.
   */
  #graded = new Map();

  /** @param {string[]} processors the ids of those that grade when they are told to */
  constructor(processors) {
    this.#processors = new Set(processors);
  }

  /** Whether a processor is one of them. @param {string} [id] any when absent */
  areOf(id) {
    return id === undefined || this.#processors.has(id);
  }

  /** A processor has other knowledge, of which nothing is graded. */
  replaced({ name }) {
    this.#graded.delete(name);
  }

  /** Does the piece that a run has done. It goes on where the last one ended, unless the object was lost meanwhile. */
  verb({ life, node: { name } }) {
    return (processor) => {
      // What its verbs share.
      const { shared } = processor.knowledge.mind;
      const before = this.#graded.get(name);
      shared.gradingsInPieces = before?.life === life ? before.gradings : undefined;
      const piece = processor.knowledge.gradePart();
      this.#graded.set(name, { life, gradings: shared.gradingsInPieces });
      return piece;
    };
  }
}
