/** Addresses that are counted together: those from `from` on and before `to`, in the order of their text. */
export interface AddressRange {
  from: string;
  to: string;
}

/** One counted address alone. */
export function rangeOf(address: string): AddressRange {
  return { from: address, to: `${address}\u0001` };
}

/**
 * All counted addresses of the same site: for IPv6, which is counted by /64, those of its /48, which is what one customer
 * gets; for IPv4 the address alone.
 */
export function siteRangeOf(address: string): AddressRange {
  const site = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+:)/i.exec(address)?.[1];
  // `;` is the character after `:`.
  return site === undefined ? rangeOf(address) : { from: site, to: `${site.slice(0, -1)};` };
}
