import { expect, test } from "vitest";
import { sixDecimals } from "../../../src/processor/text/decimal";

test.each([
  [1, "1.000000"],
  [0, "0.000000"],
  [-0, "-0.000000"],
  [0.1, "0.100000"],
  [-2.34, "-2.340000"],
  [123456789.12345679, "123456789.123457"],
  [1 / 128, "0.007812"],
  [3 / 128, "0.023438"],
  [-1 / 128, "-0.007812"],
  [2 ** 45 + 1 / 128, "35184372088832.007812"],
  [0.0000005, "0.000000"],
  [0.0000015, "0.000002"],
  [-1e-9, "-0.000000"],
  [0.9999999, "1.000000"],
  [1e21, "1000000000000000000000.000000"],
  [1e22, "10000000000000000000000.000000"],
  [-1.5e300, `-${BigInt(1.5e300)}.000000`],
  [5e-324, "0.000000"],
])("%s has the decimals %s", (value, printed) => {
  expect(sixDecimals(value)).toBe(printed);
});

/** The exact decimal expansion of a double, rounded half to even with whole numbers only. */
function exactly(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigUint64(0);
  const exponent = Number(bits >> 52n);
  const fraction = bits & ((1n << 52n) - 1n);
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n);
  const power = BigInt(Math.max(exponent, 1) - 1075);
  const scaled = power >= 0n ? (mantissa << power) * 1_000_000n : mantissa * 1_000_000n;
  const divisor = power >= 0n ? 1n : 1n << -power;
  const floor = scaled / divisor;
  const twice = (scaled % divisor) * 2n;
  const up = twice > divisor || (twice === divisor && floor % 2n === 1n);
  const digits = (up ? floor + 1n : floor).toString().padStart(7, "0");
  return `${value < 0 ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

test("any double, ties among them, is rounded from its exact value", () => {
  let seed = 12345;
  const random = () => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return seed / 2 ** 32;
  };
  for (let i = 0; i < 20_000; i++) {
    const value = (random() - 0.5) * 10 ** Math.floor(random() * 40 - 10);
    const tie = (2 * Math.floor((random() - 0.5) * 2 ** 40) + 1) / 128;
    expect(sixDecimals(value)).toBe(exactly(value));
    expect(sixDecimals(tie)).toBe(exactly(tie));
  }
});
