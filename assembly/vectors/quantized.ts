/**
 * A quantized page of vectors: each component as a byte k from -127 to 127 that stands for center + scale k, and the
 * error: the maximum distance of a vector of the page from the values of its bytes. For most vectors it proves, at an
 * eighth of the memory traffic, that they are farther from the query than the nearest found so far.
 *
 * Why that is exact. In units of the scale, every quantized vector lies in the box of components from -127 to 127. Let
 * p be the point of the box nearest to the query q, and r be p with rounded components. The box is convex, so for every
 * quantized vector v
 * |v - q|^2 >= |v - p|^2 + |p - q|^2, and |v - p| >= |v - r| - |p - r|. A vector of the page is at most `error` away
 * from its quantized form. So a vector whose bytes are farther from r than {@link tighten} allows cannot be as near as
 * the worst of the nearest found; and as the search goes oldest first, it loses ties too. |v - r|^2 is a sum of whole
 * numbers, which no order of adding changes. Every bound computed in doubles is loosened by a billionth, far more than
 * rounding; a square below 1e-300 is never relied on.
 */

import { allocate, newBytes, release } from "../memory/arena";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";

/** The quantized form of a page. */
@unmanaged
class Quantized {
  center: f64;
  scale: f64;
  error: f64;
  /** The block of bytes, a row for each vector; 0 for a page that is not quantized. */
  block: usize;
}

/** Bytes of a quantized page's descriptor, a multiple of 8. */
export const QUANTIZED_BYTES: usize = (offsetof<Quantized>() + 7) & ~7;

const ROUND_UP: f64 = 1 + 1e-9;
const ROUND_DOWN: f64 = 1 - 1e-9;
/** More than the rounding of a difference of squares of a few units. */
const MAX_ROUNDING: f64 = 1e-6;
const MAX_BYTE: f64 = 127;
/** Maximum number of pairs of bytes whose squared differences add up to less than 2^31. */
const MAX_DIMENSIONS: u32 = 32768;
/** With fewer components, reading the doubles themselves is as fast. */
const MIN_DIMENSIONS: u32 = 16;

/**
 * The rounded point r, a halfword for each component. It was computed for {@link pointCenter} and {@link pointScale}.
 */
const point: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** Address of the components of q. */
let query: usize = 0;
let dimensions: u32 = 0;
let pointCenter: f64 = 0;
let pointScale: f64 = 0;
/** |p - r| and |p - q|^2. */
let pointError: f64 = 0;
let outside: f64 = 0;

/** The page being searched: its descriptor, its bytes, and the greatest |v - r|^2 that has to be examined. */
let page: Quantized = changetype<Quantized>(0);
let bytes: usize = 0;
let farthest: i32 = 0;

/** Bytes of a row: the components, padded with zeros to a multiple of 16. */
function rowBytes(components: u32): usize {
  return (<usize>components + 15) & ~15;
}

/** New bytes needed to quantize `count` vectors. */
export function growthBytes(count: u32, components: u32): usize {
  return newBytes(<usize>count * rowBytes(components));
}

/**
 * Quantizes the `count` vectors at `vectors`. A page whose components are too few, too many or too far
 * apart stays unquantized.
 */
export function quantizePage(to: usize, vectors: usize, count: u32, components: u32): void {
  let least = load<f64>(vectors);
  let greatest = least;
  const end = vectors + ((<usize>count * components) << 3);
  for (let at = vectors; at < end; at += 8) {
    least = min(least, load<f64>(at));
    greatest = max(greatest, load<f64>(at));
  }
  const center = least / 2 + greatest / 2;
  const scale = greatest === least ? 1 : (greatest / 2 - least / 2) / MAX_BYTE;
  const target = changetype<Quantized>(to);
  memory.fill(to, 0, QUANTIZED_BYTES);
  // A scale that is not a number fails both comparisons.
  if (components < MIN_DIMENSIONS || components > MAX_DIMENSIONS || !(scale > 1e-150 && scale < 1e150)) {
    return;
  }
  const block = allocate(<usize>count * rowBytes(components));
  memory.fill(block, 0, <usize>count * rowBytes(components));
  target.block = block;
  target.center = center;
  target.scale = scale;
  let error: f64 = 0;
  for (let at: u32 = 0; at < count; at++) {
    const vector = vectors + ((<usize>at * components) << 3);
    error = max(error, quantizeVector(block + <usize>at * rowBytes(components), vector, components, center, scale));
  }
  const magnitude = abs(center) + MAX_BYTE * scale;
  target.error = error * ROUND_UP + sqrt(<f64>components) * magnitude * 1e-14;
}

/** Frees the bytes of a page of `count` vectors. */
export function freeQuantized(at: usize, count: u32, components: u32): void {
  release(changetype<Quantized>(at).block, <usize>count * rowBytes(components));
}

/** Begins a search for the vector of `components` doubles at `input`. */
export function beginQuantizedSearch(input: usize, components: u32): void {
  query = input;
  dimensions = components;
  pointScale = 0;
  buffer.ensure(point, rowBytes(components) << 1);
}

/**
 * Begins with a page. `worst` is the squared distance of the worst of the nearest found, infinite while any vector is
 * near enough. Returns false if no vector of the page has to be examined.
 */
export function beginPage(at: usize, worst: f64): bool {
  page = changetype<Quantized>(at);
  bytes = page.block;
  if (bytes === 0) {
    return true;
  }
  if (page.center !== pointCenter || page.scale !== pointScale) {
    placePoint(page.center, page.scale);
  }
  return tighten(worst);
}

/** Sets the distance within which vectors of the page have to be examined. Returns false if none can be that near. */
export function tighten(worst: f64): bool {
  if (bytes === 0) {
    return true;
  }
  const reach = (sqrt(worst * ROUND_UP + 1e-300) + page.error) / pointScale;
  const inside = reach * reach * ROUND_UP - outside * ROUND_DOWN;
  if (inside < -MAX_ROUNDING) {
    farthest = -1;
    return false;
  }
  const radius = (sqrt(max(inside, 0)) + pointError) * ROUND_UP;
  const squared = radius * radius * ROUND_UP + 1;
  farthest = squared < 2147483647 ? <i32>squared : i32.MAX_VALUE;
  return true;
}

/** The next vector of the page, from `at` on, that has to be examined; `count` if there is none. */
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
  const other = buffer.start(point);
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

/** Writes the bytes of one vector. Returns its distance from the values of the bytes, apart from rounding. */
function quantizeVector(to: usize, vector: usize, components: u32, center: f64, scale: f64): f64 {
  let sum: f64 = 0;
  for (let at: usize = 0; at < <usize>components; at++) {
    const component = load<f64>(vector + (at << 3));
    const byte = min(MAX_BYTE, max(-MAX_BYTE, nearest((component - center) / scale)));
    store<i8>(to + at, <i8>byte);
    const difference = component - (center + scale * byte);
    sum += difference * difference;
  }
  return sqrt(sum);
}

/** Computes p and r for a center and a scale. */
function placePoint(center: f64, scale: f64): void {
  const to = buffer.start(point);
  let rounding: f64 = 0;
  outside = 0;
  memory.fill(to, 0, rowBytes(dimensions) << 1);
  for (let at: usize = 0; at < <usize>dimensions; at++) {
    const exact = (load<f64>(query + (at << 3)) - center) / scale;
    const inside = min(MAX_BYTE, max(-MAX_BYTE, exact));
    const rounded = nearest(inside);
    store<i16>(to + (at << 1), <i16>rounded);
    rounding += (inside - rounded) * (inside - rounded);
    outside += (exact - inside) * (exact - inside);
  }
  pointCenter = center;
  pointScale = scale;
  pointError = sqrt(rounding) * ROUND_UP + 1e-9;
}
