/**
 * A sketch of a page of vectors: each component as a byte k that stands for center + scale k, -127 to 127, and how far any vector of
 * the page is from what its bytes stand for, at most. It tells of most vectors that they are farther from a query than the nearest
 * ones found, at an eighth of the memory traffic.
 *
 * Why that is exact. In units of the scale, every sketched vector lies in the box of components from -127 to 127. Let p be the point
 * of the box nearest to the query q, and r be p with rounded components. The box is convex, so for every sketched vector v
 * |v - q|^2 >= |v - p|^2 + |p - q|^2, and |v - p| >= |v - r| - |p - r|. A vector of the page is at most `error` away from its sketch.
 * So one whose bytes are farther from r than {@link openPage} computes can't be as near as the worst of the nearest found, and as
 * they are searched oldest first, it loses ties too. |v - r|^2 is a sum of whole numbers, which no order of adding changes. All
 * that is computed in doubles is loosened by a billionth, far more than their rounding; a square below 1e-300 is never relied on.
 */

import { allocate, newBytes, release } from "../memory/arena";
import * as column from "../memory/buffer";

/** A sketch: the block of bytes (0 for none), center, scale and error. */
export const SKETCH_BYTES: usize = 32;
const BLOCK: usize = 0;
const CENTER: usize = 8;
const SCALE: usize = 16;
const ERROR: usize = 24;

const LOOSE: f64 = 1 + 1e-9;
const TIGHT: f64 = 1 - 1e-9;
/** Of differences of squares of a few units, more than their rounding. */
const NEARLY: f64 = 1e-6;
const REACH: f64 = 127;
/** Sums of squares of up to so many differences of two bytes fit 32 bits. */
const MOST_DIMENSIONS: u32 = 32768;
/** Of fewer components the doubles themselves are read as fast. */
const FEWEST_DIMENSIONS: u32 = 16;

/** The query's rounded point r, a halfword per component, for the center and scale it was computed with. */
const point: usize = memory.data(12, 8);

let query: usize = 0;
let dimensions: u32 = 0;
let pointCenter: f64 = 0;
let pointScale: f64 = 0;
/** |p - r| and |p - q|^2. */
let pointError: f64 = 0;
let outside: f64 = 0;

/** The page being searched: its bytes, and the greatest |v - r|^2 that needs a look. */
let bytes: usize = 0;
let pageSketch: usize = 0;
let farthest: i32 = 0;

/** Bytes of a row: the components, and zeros to a multiple of 16. */
function rowBytes(components: u32): usize {
  return (<usize>components + 15) & ~15;
}

/** New bytes for the sketch of `count` vectors. */
export function growthBytes(count: u32, components: u32): usize {
  return newBytes(<usize>count * rowBytes(components));
}

/** Sketches the `count` vectors at `vectors`. A page whose components are too many or too far apart gets no sketch. */
export function makeSketch(to: usize, vectors: usize, count: u32, components: u32): void {
  let least = load<f64>(vectors);
  let greatest = least;
  const end = vectors + ((<usize>count * components) << 3);
  for (let at = vectors; at < end; at += 8) {
    least = min(least, load<f64>(at));
    greatest = max(greatest, load<f64>(at));
  }
  const center = least / 2 + greatest / 2;
  const scale = greatest === least ? 1 : (greatest / 2 - least / 2) / REACH;
  memory.fill(to, 0, SKETCH_BYTES);
  // A scale that is not a number fails both comparisons.
  if (components < FEWEST_DIMENSIONS || components > MOST_DIMENSIONS || !(scale > 1e-150 && scale < 1e150)) {
    return;
  }
  const block = allocate(<usize>count * rowBytes(components));
  memory.fill(block, 0, <usize>count * rowBytes(components));
  store<u32>(to, <u32>block, BLOCK);
  store<f64>(to, center, CENTER);
  store<f64>(to, scale, SCALE);
  let error: f64 = 0;
  for (let at: u32 = 0; at < count; at++) {
    const vector = vectors + ((<usize>at * components) << 3);
    error = max(error, sketchVector(block + <usize>at * rowBytes(components), vector, components, center, scale));
  }
  const magnitude = abs(center) + REACH * scale;
  store<f64>(to, error * LOOSE + sqrt(<f64>components) * magnitude * 1e-14, ERROR);
}

export function dropSketch(sketch: usize, count: u32, components: u32): void {
  release(load<u32>(sketch, BLOCK), <usize>count * rowBytes(components));
}

/** Begins a search for the vector of `components` doubles at `input`. */
export function openSketches(input: usize, components: u32): void {
  query = input;
  dimensions = components;
  pointScale = 0;
  column.hold(point, rowBytes(components) << 1);
}

/**
 * Begins with a page, when the worst of the nearest found has this squared distance; infinite while any is near enough. Answers
 * `false` when no vector of the page needs a look.
 */
export function openPage(sketch: usize, worst: f64): bool {
  bytes = load<u32>(sketch, BLOCK);
  pageSketch = sketch;
  if (bytes === 0) {
    return true;
  }
  if (load<f64>(sketch, CENTER) !== pointCenter || load<f64>(sketch, SCALE) !== pointScale) {
    placePoint(load<f64>(sketch, CENTER), load<f64>(sketch, SCALE));
  }
  return tighten(worst);
}

/** Takes notice that the worst of the nearest found is nearer now. */
export function tighten(worst: f64): bool {
  if (bytes === 0) {
    return true;
  }
  const reach = (sqrt(worst * LOOSE + 1e-300) + load<f64>(pageSketch, ERROR)) / pointScale;
  const inside = reach * reach * LOOSE - outside * TIGHT;
  if (inside < -NEARLY) {
    farthest = -1;
    return false;
  }
  const radius = (sqrt(max(inside, 0)) + pointError) * LOOSE;
  const squared = radius * radius * LOOSE + 1;
  farthest = squared < 2147483647 ? <i32>squared : i32.MAX_VALUE;
  return true;
}

/** The next vector of the page from `at` on that needs a look; `count` when there is none. */
export function nextPossible(at: u32, count: u32): u32 {
  if (bytes === 0) {
    return at;
  }
  const row = rowBytes(dimensions);
  let place = at;
  for (let from = bytes + <usize>at * row; place < count; place++, from += row) {
    if (squaredTo(from, row) <= farthest) {
      return place;
    }
  }
  return count;
}

/** |v - r|^2 of the row at `from`. */
function squaredTo(from: usize, row: usize): i32 {
  let sums = i32x4.splat(0);
  const other = column.start(point);
  for (let offset: usize = 0; offset < row; offset += 16) {
    const own = v128.load(from + offset);
    const low = i16x8.sub(i16x8.extend_low_i8x16_s(own), v128.load(other + (offset << 1)));
    const high = i16x8.sub(i16x8.extend_high_i8x16_s(own), v128.load(other + (offset << 1), 16));
    sums = i32x4.add(sums, i32x4.add(i32x4.dot_i16x8_s(low, low), i32x4.dot_i16x8_s(high, high)));
  }
  return (
    i32x4.extract_lane(sums, 0) +
    i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3)
  );
}

/** Writes the bytes of one vector; answers how far it is from what they stand for, but for rounding. */
function sketchVector(to: usize, vector: usize, components: u32, center: f64, scale: f64): f64 {
  let sum: f64 = 0;
  for (let at: usize = 0; at < <usize>components; at++) {
    const component = load<f64>(vector + (at << 3));
    const byte = min(REACH, max(-REACH, nearest((component - center) / scale)));
    store<i8>(to + at, <i8>byte);
    const difference = component - (center + scale * byte);
    sum += difference * difference;
  }
  return sqrt(sum);
}

/** Computes p and r of the query for a center and a scale. */
function placePoint(center: f64, scale: f64): void {
  const to = column.start(point);
  let rounding: f64 = 0;
  outside = 0;
  memory.fill(to, 0, rowBytes(dimensions) << 1);
  for (let at: usize = 0; at < <usize>dimensions; at++) {
    const exact = (load<f64>(query + (at << 3)) - center) / scale;
    const inside = min(REACH, max(-REACH, exact));
    const rounded = nearest(inside);
    store<i16>(to + (at << 1), <i16>rounded);
    rounding += (inside - rounded) * (inside - rounded);
    outside += (exact - inside) * (exact - inside);
  }
  pointCenter = center;
  pointScale = scale;
  pointError = sqrt(rounding) * LOOSE + 1e-9;
}
