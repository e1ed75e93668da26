/**
 * Generates visits of a web shop: pages in the order in which a visitor opens them. Each visitor is one of five personas with habits of their
 * own; they share pages such as the cart, and what comes after those depends on the persona.
 * No real visits are in here.
 */

import { Random } from "../random.mjs";

/** A visitor leaves a habit at some of the pages: opens another page first, or leaves one out. */
const DETOUR = 0.1;
const LEFT_OUT = 0.06;

const SHOES = ["/shoes/boot", "/shoes/runner", "/shoes/sandal"];
const TOYS = ["/toys/blocks", "/toys/kite", "/toys/puzzle"];
const BAGS = ["/bags/rucksack", "/bags/tote"];
const DETOURS = ["/", "/search", "/help", "/sale", "/account"];

/** The habits: each step is a page, or a list of pages of which the visitor opens one. */
const PERSONAS = {
  "buys again": ["/", "/account", "/orders", SHOES, "/cart", "/pay", "/thanks"],
  "hunts bargains": ["/sale", SHOES, "/cart", "/sale", BAGS, "/cart", "/coupon", "/pay", "/thanks"],
  "looks for a gift": ["/", "/gifts", TOYS, "/reviews", "/cart", "/wrapping", "/pay", "/thanks"],
  compares: ["/search", SHOES, "/reviews", "/search", SHOES, "/reviews", "/sizes", "/cart", "/pay", "/thanks"],
  "asks first": ["/search", BAGS, "/help", "/returns", "/cart", "/account", "/pay", "/thanks"],
};

/** The pages of one visit. */
function pagesOf(habit, random) {
  const pages = [];
  for (const step of habit) {
    if (random.happens(DETOUR)) pages.push(random.pick(DETOURS));
    if (!random.happens(LEFT_OUT)) pages.push(typeof step === "string" ? step : random.pick(step));
  }
  return pages;
}

/**
 * Visits in the order in which they began.
 *
 * @param {number} count how many
 * @param {number} seed a whole number from 1 to 2^31 - 2: the same seed gives the same visits
 * @returns {{ visitor: string, pages: string[] }[]} each with two pages or more
 */
export function generateVisits(count, seed) {
  const random = new Random(seed);
  const habits = Object.values(PERSONAS);
  const visits = [];
  while (visits.length < count) {
    const pages = pagesOf(random.pick(habits), random);
    if (pages.length > 1) visits.push({ visitor: `visitor-${visits.length + 1}`, pages });
  }
  return visits;
}
