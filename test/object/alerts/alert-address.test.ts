/** Which addresses alerts may be delivered to. */

import { describe, expect, test } from "vitest";
import { alertUrlRefusal } from "../../../src/object/alerts/alert-address";
import { alertHostsRefusal } from "../../../src/text/hosts";

/** Everything is listed, so that only the other rules refuse. */
function refusalOf(url: string, local = false): string | undefined {
  let host = "";
  try {
    ({ host } = new URL(url));
  } catch {
    // No URL: nothing to list.
  }
  return alertUrlRefusal(url, { NOEMA_ALERT_HOSTS: host, ...(local && { NOEMA_LOCAL: "true" }) });
}

test.each([
  "https://hooks.example.org/noema",
  "https://hooks.example.org:8443/noema?token=a",
  "https://bücher.example/",
  "https://8.8.8.8/",
  "https://[2606:4700::1111]/",
])("%s is taken", (url) => {
  expect(refusalOf(url)).toBeUndefined();
});

test.each([
  ["hooks.example.org:443", "https://hooks.example.org/a"],
  ["hooks.example.org:443", "https://hooks.example.org:443/a"],
  ["hooks.example.org", "https://hooks.example.org:443/a"],
  ["[2606:4700::1111]:443", "https://[2606:4700::1111]/"],
  ["127.0.0.1:80", "http://127.0.0.1/"],
])("a list with %s opens %s: the port that the protocol says may be left out", (listed, url) => {
  expect(alertUrlRefusal(url, { NOEMA_ALERT_HOSTS: listed, NOEMA_LOCAL: "true" })).toBeUndefined();
});

test.each([
  ["hooks.example.org:443", "https://hooks.example.org:8443/"],
  ["hooks.example.org:80", "https://hooks.example.org/"],
  ["127.0.0.1:443", "http://127.0.0.1/"],
  ["127.0.0.1:80", "http://127.0.0.1:443/"],
])("a list with %s does not open %s", (listed, url) => {
  const { host } = new URL(url);
  expect(alertUrlRefusal(url, { NOEMA_ALERT_HOSTS: listed, NOEMA_LOCAL: "true" })).toBe(
    `its host ${host} is not listed in the variable NOEMA_ALERT_HOSTS`,
  );
});

describe("an address that is not public is refused, listed or not, in every spelling", () => {
  test.each([
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://127.0.0.1./",
    "https://１２７.0.0.1/",
    "https://127。0。0。1/",
    "https://0/",
    "https://10.1.2.3/",
    "https://172.16.0.1/",
    "https://192.168.0.7:8443/",
    "https://169.254.169.254/latest/meta-data",
    "https://100.64.0.1/",
    "https://198.18.0.1/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://[::127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[2001:0:1::]/",
    "https://[fe80::1]/",
    "https://[fc00::1]/",
    "https://[fec0::1]/",
    "https://[ff02::1]/",
    "https://localhost/",
    "https://LOCALHOST./",
    "https://a.localhost/",
    "https://%6cocalhost/",
    "https://ⓛocalhost/",
  ])("%s", (url) => {
    expect(refusalOf(url)).toContain("is a private address");
    expect(refusalOf(url, true)).toContain("is a private address");
  });
});

test.each([
  ["http://hooks.example.org/", "https://"],
  ["ftp://hooks.example.org/", "https://"],
  ["file:///etc/passwd", "must be a URL such as"],
  ["data:text/plain,a", "must be a URL such as"],
  ["https://user@hooks.example.org/", "without user"],
  ["https://:secret@hooks.example.org/", "without user"],
  ["https://hooks.example.org/#part", "fragment"],
  ["https://[fe80::1%25eth0]/", "must be a URL"],
  ["https://127.0.0.1%2f.example.org/", "must be a URL"],
  ["ht\ntps://hooks.example.org/", "must be a URL"],
  ["https://hooks.example.org/a b", "must be a URL"],
  ["hooks.example.org", "must be a URL"],
  [`https://hooks.example.org/${"x".repeat(2_048)}`, "at most 2048 characters"],
])("%s is refused", (url, reason) => {
  const refusal = refusalOf(url) ?? "";
  expect(refusal).toContain(reason);
  // The path or the user may be a secret.
  expect(refusal).not.toMatch(/secret|passwd|xxxx/);
});

test("http leads only to this machine, only in local use, and only where it is listed", () => {
  for (const host of ["127.0.0.1:9000", "localhost:9000", "[::1]:9000"]) {
    expect(refusalOf(`http://${host}/`, true)).toBeUndefined();
    expect(refusalOf(`http://${host}/`)).toContain("https://");
    expect(alertUrlRefusal(`http://${host}/`, { NOEMA_LOCAL: "true" })).toContain("NOEMA_ALERT_HOSTS is not set");
  }
  expect(refusalOf("http://10.0.0.1/", true)).toContain("https://");
  expect(refusalOf("http://hooks.example.org/", true)).toContain("https://");
});

test("only listed hosts are taken, with their ports", () => {
  const env = { NOEMA_ALERT_HOSTS: "hooks.example.org, other.example.org:8443" };
  expect(alertUrlRefusal("https://hooks.example.org:443/a", env)).toBeUndefined();
  expect(alertUrlRefusal("https://other.example.org:8443/", env)).toBeUndefined();
  for (const host of [
    "hooks.example.org:8443",
    "other.example.org",
    "x.hooks.example.org",
    "hooks.example.org.evil.example",
  ]) {
    expect(alertUrlRefusal(`https://${host}/`, env)).toContain(`its host ${host} is not listed in`);
  }
});

test.each([
  "https://a.example",
  "A.example",
  "*.example.org",
  "a.example/path",
  "a.example:443x",
])("the variable may not have %s", (host) => {
  expect(alertHostsRefusal({ NOEMA_ALERT_HOSTS: `b.example ${host}` })).toContain("NOEMA_ALERT_HOSTS");
});

test("the variable may list hosts and ports, or nothing", () => {
  expect(alertHostsRefusal({})).toBeUndefined();
  expect(alertHostsRefusal({ NOEMA_ALERT_HOSTS: "a.example, b.example:8443 127.0.0.1:9000" })).toBeUndefined();
});
