/** The model that is being added: where its symbols and its event lengths are, as words. Set it before adding. */

let symbolsAt: usize = 0;
let symbolsCount: u32 = 0;
let lengthsAt: usize = 0;
let eventsCount: u32 = 0;
let end: u32 = 0;

/** Sets the model to add. */
export function setIncoming(symbols: usize, symbolCount: u32, lengths: usize, eventCount: u32): void {
  symbolsAt = symbols;
  symbolsCount = symbolCount;
  lengthsAt = lengths;
  eventsCount = eventCount;
  end = 0;
  for (let at: u32 = 0; at < symbolCount; at++) {
    end = max(end, incomingSymbol(at) + 1);
  }
}

/** Where its symbols start. */
export function incomingStart(): usize {
  return symbolsAt;
}

/** Its symbol at a position. */
export function incomingSymbol(at: u32): u32 {
  return load<u32>(symbolsAt + ((<usize>at) << 2));
}

/** Number of its symbols. */
export function incomingSymbols(): u32 {
  return symbolsCount;
}

/** Where its event lengths start. */
export function incomingLengths(): usize {
  return lengthsAt;
}

/** Number of its events. */
export function incomingEvents(): u32 {
  return eventsCount;
}

/** Its greatest symbol plus one. */
export function incomingEnd(): u32 {
  return end;
}
