import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAllowedAddress } from "./public-address.ts";

describe("forbidden addresses", () => {
  test.each([
    ["0.0.0.0", "127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
    ["169.254.169.254", "169.254.0.1", "100.64.0.1", "100.127.255.255", "192.0.0.8", "192.0.2.1"],
    ["198.18.0.1", "198.51.100.7", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255"],
    ["168.63.129.16", "::", "::1", "fe80::1", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1"],
    ["::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "::127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1"],
    ["64:ff9b:1::a00:1", "2002:7f00:1::", "2001::1", "2001:db8::1", "100::1", "5f00::1", "3fff::1"],
    ["", "localhost", "127.1", "1.2.3.4.5", "example.org"],
  ])("%s, …", (...addresses) => {
    expect(addresses.filter((address) => isAllowedAddress(address, []))).toEqual([]);
  });
});

describe("allowed addresses", () => {
  test.each([
    ["1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.32.0.1", "192.169.0.1", "169.253.1.1"],
    ["2606:4700:4700::1111", "2a00:1450:4001::200e", "::ffff:8.8.8.8"],
  ])("%s, …", (...addresses) => {
    expect(addresses.filter((address) => !isAllowedAddress(address, []))).toEqual([]);
  });

  test("include ranges that the administrator allows, in any notation", () => {
    const allowed = ["10.1.0.0/16", "fd00::/8"];
    expect(isAllowedAddress("10.1.2.3", allowed)).toBe(true);
    expect(isAllowedAddress("::ffff:10.1.2.3", allowed)).toBe(true);
    expect(isAllowedAddress("fd00::5", allowed)).toBe(true);
    expect(isAllowedAddress("10.2.0.1", allowed)).toBe(false);
    expect(isAllowedAddress("fe80::5", allowed)).toBe(false);
  });
});

test("IPv4-mapped IPv6 addresses are treated like IPv4", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isAllowedAddress(`::ffff:${address}`, [])).toBe(isAllowedAddress(address, []));
    }),
  );
});
