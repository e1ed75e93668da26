/** Lanes of vectors, read one by one. */

/** The greatest of four words without a sign. */
export function greatestLane(four: v128): u32 {
  const first = max(<u32>i32x4.extract_lane(four, 0), <u32>i32x4.extract_lane(four, 1));
  return max(first, max(<u32>i32x4.extract_lane(four, 2), <u32>i32x4.extract_lane(four, 3)));
}

/** The greatest of sixteen bytes without a sign. */
export function greatestByte(sixteen: v128): u32 {
  const low = i16x8.extend_low_i8x16_u(sixteen);
  const eight = i16x8.max_u(low, i16x8.extend_high_i8x16_u(sixteen));
  const four = i32x4.extend_low_i16x8_u(eight);
  return greatestLane(i32x4.max_u(four, i32x4.extend_high_i16x8_u(eight)));
}
