/** The model on its way in: where its symbols and its event lengths are, words both. Whoever brings it fills this first. */

let symbolsAt: usize = 0;
let symbolsCount: u32 = 0;
let lengthsAt: usize = 0;
let eventsCount: u32 = 0;
let end: u32 = 0;

/** Says where the model is. */
export function bring(symbols: usize, symbolCount: u32, lengths: usize, eventCount: u32): void {
  symbolsAt = symbols;
  symbolsCount = symbolCount;
  lengthsAt = lengths;
  eventsCount = eventCount;
  end = 0;
  for (let at: u32 = 0; at < symbolCount; at++) {
    end = max(end, incomingSymbol(at) + 1);
  }
}

/** Where the symbols start. */
export function incomingStart(): usize {
  return symbolsAt;
}

export function incomingSymbol(at: u32): u32 {
  return load<u32>(symbolsAt + ((<usize>at) << 2));
}

export function incomingSymbols(): u32 {
  return symbolsCount;
}

/** Where the event lengths start. */
export function incomingLengths(): usize {
  return lengthsAt;
}

export function incomingEvents(): u32 {
  return eventsCount;
}

/** Above every symbol of the model. */
export function incomingEnd(): u32 {
  return end;
}
