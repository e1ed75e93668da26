/** What is an encoder and what is not, and what the refusals say. */

import { describe, expect, test } from "vitest";
import { definitionOf, definitionText } from "../../../src/processor/encoding/definition-text";

const check = (text: string) => () => definitionText(definitionOf(text));

test.each([
  ['{"size":0.5,"kind":"step"}', '{"hysteresis":0,"kind":"step","on_change":false,"origin":0,"size":0.5}'],
  [
    '{"kind":"step","size":1e-7,"origin":-0,"hysteresis":-0,"on_change":true}',
    '{"hysteresis":0,"kind":"step","on_change":true,"origin":0,"size":1e-7}',
  ],
  ['{"kind":"step","size":5e-324}', '{"hysteresis":0,"kind":"step","on_change":false,"origin":0,"size":5e-324}'],
  ['{"kind":"auto"}', '{"bins":8,"hysteresis":0,"kind":"auto","on_change":false}'],
  [
    '{"kind":"auto","bins":100,"edges":[1,2],"on_change":true}',
    '{"bins":100,"edges":[1,2],"hysteresis":0,"kind":"auto","on_change":true}',
  ],
  ['{"kind":"edges","edges":[-1,-0,2]}', '{"edges":[-1,0,2],"hysteresis":0,"kind":"edges","on_change":false}'],
  ['{"of":"hour","kind":"clock"}', '{"kind":"clock","of":"hour","step":1,"zone":"UTC"}'],
  [
    '{"kind":"clock","of":"weekday","step":5,"zone":"Asia/Kathmandu"}',
    '{"kind":"clock","of":"weekday","step":5,"zone":"Asia/Kathmandu"}',
  ],
  ['{"kind":"elapsed"}', '{"edges":[1,5,15,60,300,900,3600,21600,86400,604800],"kind":"elapsed"}'],
  ['{"kind":"elapsed","edges":[-0,0.5]}', '{"edges":[0,0.5],"kind":"elapsed"}'],
])("%s is %s", (text, canonical) => {
  expect(check(text)()).toBe(canonical);
  expect(check(canonical)()).toBe(canonical);
});

describe("refused", () => {
  const edges = (list: unknown) => JSON.stringify({ kind: "edges", edges: list });
  const RISING = "edges must be a list of 1 to 1000 finite numbers, each greater than the one before";

  test.each([
    [
      "",
      'an encoder must be an object with kind (step, edges, auto, clock or elapsed) and the members of that kind, got ""',
    ],
    [
      "[1]",
      "an encoder must be an object with kind (step, edges, auto, clock or elapsed) and the members of that kind, got [1]",
    ],
    [
      "null",
      "an encoder must be an object with kind (step, edges, auto, clock or elapsed) and the members of that kind, got null",
    ],
    ["{}", "the kind of an encoder must be one of step, edges, auto, clock, elapsed, got nothing"],
    ['{"kind":"toString"}', 'the kind of an encoder must be one of step, edges, auto, clock, elapsed, got "toString"'],
    [
      '{"kind":["step"],"size":1}',
      'the kind of an encoder must be one of step, edges, auto, clock, elapsed, got ["step"]',
    ],
    ['{"kind":"step"}', "size must be a number greater than 0, got nothing"],
    ['{"kind":"step","size":0}', "size must be a number greater than 0, got 0"],
    ['{"kind":"step","size":-0}', "size must be a number greater than 0, got 0"],
    ['{"kind":"step","size":-1}', "size must be a number greater than 0, got -1"],
    ['{"kind":"step","size":1e-400}', "size must be a number greater than 0, got 0"],
    ['{"kind":"step","size":1e999}', "size must be a number greater than 0, got a number too large for a double"],
    ['{"kind":"step","size":"1"}', 'size must be a number greater than 0, got "1"'],
    ['{"kind":"step","size":true}', "size must be a number greater than 0, got true"],
    ['{"kind":"step","size":null}', "size must be a number greater than 0, got null"],
    ['{"kind":"step","size":1,"origin":"NaN"}', 'origin must be a finite number, got "NaN"'],
    ['{"kind":"step","size":1,"origin":null}', "origin must be a finite number, got null"],
    ['{"kind":"step","size":1,"hysteresis":-0.1}', "hysteresis must be a number of 0 or more, got -0.1"],
    ['{"kind":"step","size":1,"on_change":1}', "on_change must be true or false, got 1"],
    [
      '{"kind":"step","size":1,"edges":[1],"Size":2}',
      '"edges", "Size" are unknown in an encoder of the kind step (accepted: kind, size, origin, hysteresis, on_change)',
    ],
    [
      '{"kind":"step","size":1,"__proto__":2}',
      '"__proto__" is unknown in an encoder of the kind step (accepted: kind, size, origin, hysteresis, on_change)',
    ],
    ['{"kind":"auto","bins":1}', "bins must be a whole number from 2 to 100, got 1"],
    ['{"kind":"auto","bins":101}', "bins must be a whole number from 2 to 100, got 101"],
    ['{"kind":"auto","bins":2.5}', "bins must be a whole number from 2 to 100, got 2.5"],
    ['{"kind":"auto","bins":"8"}', 'bins must be a whole number from 2 to 100, got "8"'],
    ['{"kind":"auto","edges":[]}', `${RISING}, got 0 numbers`],
    ['{"kind":"auto","edges":null}', `${RISING}, got null`],
    [
      '{"kind":"auto","collected":[1]}',
      '"collected" is unknown in an encoder of the kind auto (accepted: kind, bins, edges, hysteresis, on_change)',
    ],
    ['{"kind":"clock"}', "of must be one of month, day, weekday, hour, minute, got nothing"],
    ['{"kind":"clock","of":"year"}', 'of must be one of month, day, weekday, hour, minute, got "year"'],
    ['{"kind":"clock","of":"hour","step":0}', "step must be a whole number from 1 to 60, got 0"],
    ['{"kind":"clock","of":"hour","step":1.5}', "step must be a whole number from 1 to 60, got 1.5"],
    ['{"kind":"clock","of":"hour","step":61}', "step must be a whole number from 1 to 60, got 61"],
    ['{"kind":"clock","of":"hour","step":"2"}', 'step must be a whole number from 1 to 60, got "2"'],
    [
      '{"kind":"clock","of":"hour","zone":"Mars/X"}',
      'zone must be the name of an IANA time zone, such as Europe/Berlin, got "Mars/X"',
    ],
    [
      '{"kind":"clock","of":"hour","zone":"+01:00"}',
      'zone must be the name of an IANA time zone, such as Europe/Berlin, got "+01:00"',
    ],
    [
      '{"kind":"clock","of":"hour","zone":null}',
      "zone must be the name of an IANA time zone, such as Europe/Berlin, got null",
    ],
    [
      '{"kind":"clock","of":"hour","hysteresis":0}',
      '"hysteresis" is unknown in an encoder of the kind clock (accepted: kind, of, step, zone)',
    ],
    [
      '{"kind":"elapsed","on_change":false}',
      '"on_change" is unknown in an encoder of the kind elapsed (accepted: kind, edges)',
    ],
    ['{"kind":"elapsed","edges":[]}', `${RISING}, got 0 numbers`],
    ['{"kind":"elapsed","edges":[5,1]}', `${RISING}, got 1 after 5 at edges[1]`],
    [edges([]), `${RISING}, got 0 numbers`],
    [edges(Array.from({ length: 1001 }, (_, at) => at)), `${RISING}, got 1001 numbers`],
    [edges([1, 1]), `${RISING}, got 1 after 1 at edges[1]`],
    [edges([0, -0]), `${RISING}, got 0 after 0 at edges[1]`],
    [edges([2, 1]), `${RISING}, got 1 after 2 at edges[1]`],
    [edges([1, "2"]), 'edges[1] must be a finite number, got "2"'],
    [edges([1, null]), "edges[1] must be a finite number, got null"],
    [edges([[1]]), "edges[0] must be a finite number, got [1]"],
    ['{"kind":"edges","edges":[1,1e999]}', "edges[1] must be a finite number, got a number too large for a double"],
    [edges(7), `${RISING}, got 7`],
    [edges({ 0: 1 }), `${RISING}, got {"0":1}`],
  ])("%s: %s", (text, message) => {
    expect(check(text)).toThrow(message);
  });
});
