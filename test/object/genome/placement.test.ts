/** Where the nodes of a genome may want their processors to live, and what a genome may say of processors that are there already. */

import { describe, expect, test } from "vitest";
import { Genome } from "../../../src/object/genome/genome";
import {
  type KnownPlaces,
  newlyPlaced,
  type PlacementRules,
  placesWith,
  wishedPlaces,
} from "../../../src/object/genome/placement";
import { JURISDICTIONS, LOCATION_HINTS, type Place } from "../../../src/text/placement";
import { genomeText, primitive } from "../../support/object/genomes";

const genomeOf = (...nodes: Record<string, unknown>[]) => new Genome(genomeText(...nodes));

/** A deployment without a jurisdiction, on a platform that has them all. */
const ANY: PlacementRules = { jurisdiction: "", jurisdictionRefusal: () => undefined };
const IN_EU: PlacementRules = { ...ANY, jurisdiction: "eu" };

const place = (locationHint: string, jurisdiction = ""): Place => ({ locationHint, jurisdiction });

describe("a node may wish", () => {
  test.each(LOCATION_HINTS)("for the region %s", (hint) => {
    expect(wishedPlaces(genomeOf(primitive("p", { location_hint: hint })), ANY)).toEqual(new Map([["p", place(hint)]]));
  });

  test.each(JURISDICTIONS)("for the jurisdiction %s", (jurisdiction) => {
    const wished = wishedPlaces(genomeOf(primitive("p", { jurisdiction, location_hint: "sam" })), ANY);
    expect(wished).toEqual(new Map([["p", place("sam", jurisdiction)]]));
  });

  test("for nothing, and for the deployment's own jurisdiction, which is the same", () => {
    const genome = genomeOf(primitive("a"), primitive("b", { jurisdiction: "eu" }));
    expect(wishedPlaces(genome, IN_EU)).toEqual(new Map());
  });

  test.each([
    [
      { location_hint: "mars" },
      ANY,
      'location_hint must be one of afr, apac, eeur, enam, me, oc, sam, weur, wnam, got "mars"',
    ],
    [
      { location_hint: "WEUR" },
      ANY,
      'location_hint must be one of afr, apac, eeur, enam, me, oc, sam, weur, wnam, got "WEUR"',
    ],
    [{ location_hint: "" }, ANY, 'location_hint must be one of afr, apac, eeur, enam, me, oc, sam, weur, wnam, got ""'],
    [
      { location_hint: null },
      ANY,
      "location_hint must be one of afr, apac, eeur, enam, me, oc, sam, weur, wnam, got null",
    ],
    [
      { location_hint: ["weur"] },
      ANY,
      'location_hint must be one of afr, apac, eeur, enam, me, oc, sam, weur, wnam, got ["weur"]',
    ],
    [{ jurisdiction: "mars" }, ANY, 'jurisdiction must be one of eu, fedramp, fedramp-high, us, got "mars"'],
    [{ jurisdiction: 7 }, IN_EU, "jurisdiction must be one of eu, fedramp, fedramp-high, us, got 7"],
    [
      { jurisdiction: "us" },
      IN_EU,
      'jurisdiction must be "eu", the jurisdiction of this deployment (NOEMA_JURISDICTION), got "us"',
    ],
  ])("for no other place: %j", (members, rules, sentence) => {
    const genome = genomeOf(primitive("first"), primitive("p", members));
    expect(() => wishedPlaces(genome, rules)).toThrow(`the genome's elements.nodes[1].data.${sentence}`);
  });

  test("for no jurisdiction that the platform refuses", () => {
    const rules = { ...ANY, jurisdictionRefusal: (name: string) => `there is no ${name} here` };
    expect(() => wishedPlaces(genomeOf(primitive("p", { jurisdiction: "us" })), rules)).toThrow(
      'the genome\'s elements.nodes[0].data.jurisdiction is "us"; there is no us here',
    );
  });

  test.each(["location_hint", "jurisdiction"])("for no %s when it is served elsewhere", (member) => {
    const genome = genomeOf(primitive("far", { endpoint: "https://a.example", [member]: "eu" }));
    expect(() => wishedPlaces(genome, ANY)).toThrow(
      `the genome's processor "far" has an endpoint, so it is served elsewhere, and must have no ${member}`,
    );
  });
});

test("a genome that was stored before opens, whatever it has under these names", () => {
  const text = genomeText(primitive("p", { location_hint: { deep: 1 }, jurisdiction: "mars" }));
  expect(new Genome(text).json).toBe(text);
});

describe("a genome that comes later", () => {
  const before = genomeOf(
    primitive("hinted"),
    primitive("kept-in"),
    primitive("plain"),
    primitive("far", { endpoint: "https://a.b" }),
  );
  const known: KnownPlaces = {
    genome: before,
    retired: new Set(["left", "left-plain"]),
    places: new Map([
      ["hinted", place("weur")],
      ["kept-in", place("", "eu")],
      ["left", place("oc", "us")],
      ["purged", place("afr")],
    ]),
  };
  const changeTo = (...nodes: Record<string, unknown>[]) => {
    const next = genomeOf(...nodes);
    return { next, placed: newlyPlaced(known, next, wishedPlaces(next, ANY)) };
  };

  test.each([
    ["hinted", { location_hint: "enam" }, 'the location_hint "enam"', 'the location_hint "weur"', "location_hint"],
    ["hinted", {}, "no location_hint", 'the location_hint "weur"', "location_hint"],
    ["plain", { location_hint: "enam" }, 'the location_hint "enam"', "no location_hint", "location_hint"],
    ["plain", { jurisdiction: "eu" }, 'the jurisdiction "eu"', "no jurisdiction", "jurisdiction"],
    ["kept-in", { jurisdiction: "us" }, 'the jurisdiction "us"', 'the jurisdiction "eu"', "jurisdiction"],
    ["kept-in", {}, "no jurisdiction", 'the jurisdiction "eu"', "jurisdiction"],
    ["left", { location_hint: "oc" }, "no jurisdiction", 'the jurisdiction "us"', "jurisdiction"],
    ["left-plain", { location_hint: "oc" }, 'the location_hint "oc"', "no location_hint", "location_hint"],
  ])("is refused when it says of %s: %j", (id, members, now, then, member) => {
    expect(() => changeTo(primitive(id, members))).toThrow(
      `the genome's processor "${id}" has ${now}, and was made with ${then}; a processor stays where it was made: keep its ${member} as it was, or give the processor another id`,
    );
  });

  test("may say the same, and places only processors that are new", () => {
    const { placed } = changeTo(
      primitive("hinted", { location_hint: "weur", name: "other" }),
      primitive("new", { location_hint: "me", jurisdiction: "fedramp" }),
      primitive("plain"),
      primitive("left", { location_hint: "oc", jurisdiction: "us" }),
      primitive("purged", { location_hint: "sam" }),
      primitive("far", { location_hint: "apac" }),
      primitive("new-plain"),
    );
    expect(placed).toEqual([
      { id: "new", ...place("me", "fedramp") },
      { id: "purged", ...place("sam") },
      // It was served elsewhere, so there is no object of it yet.
      { id: "far", ...place("apac") },
    ]);
  });

  test("keeps the places of what still has data, and no others", () => {
    const { next, placed } = changeTo(
      primitive("hinted", { location_hint: "weur" }),
      primitive("new", { location_hint: "me" }),
      primitive("purged"),
    );
    const leaving = new Set(["kept-in"]);
    expect(placesWith(known, next, placed, leaving)).toEqual(
      new Map([
        ["hinted", place("weur")],
        ["kept-in", place("", "eu")],
        ["left", place("oc", "us")],
        ["new", place("me")],
      ]),
    );
    expect(placesWith(known, next, placed, new Set()).has("kept-in")).toBe(false);
  });

  test("finds nothing known where there was no genome", () => {
    const next = genomeOf(primitive("p", { location_hint: "me" }));
    const nothing = { genome: undefined, retired: new Set<string>(), places: new Map<string, Place>() };
    expect(newlyPlaced(nothing, next, wishedPlaces(next, ANY))).toEqual([{ id: "p", ...place("me") }]);
  });
});
