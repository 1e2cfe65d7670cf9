/** A half-open range of addresses counted together, in text order. */
export interface AddressRange {
  from: string;
  to: string;
}

/** The range of a single address. */
export function rangeOf(address: string): AddressRange {
  return { from: address, to: `${address}\u0001` };
}

/**
 * The range of a site: for IPv6, where addresses count by /64, the /48 that one customer may have; for
 * IPv4 the single address.
 */
export function siteRangeOf(address: string): AddressRange {
  const site = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+:)/i.exec(address)?.[1];
  // `;` is the character after `:`.
  return site === undefined ? rangeOf(address) : { from: site, to: `${site.slice(0, -1)};` };
}
