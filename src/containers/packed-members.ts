// How a member of an archive was packed when it was read. Most of what is in a charx is pictures and sound that are
// written back as they came: packing 200 MiB again would cost many seconds and gain nothing.

/** A member as it stood in the archive. */
export interface PackedMember {
  readonly bytes: Uint8Array;
  readonly isStored: boolean;
  readonly crc: number;
}

const KNOWN = new WeakMap<Uint8Array, PackedMember>();

/** Remembers how a member was packed; `member` is what came out of it, and must not be changed afterwards. */
export function rememberPacked(member: Uint8Array, packed: PackedMember): void {
  KNOWN.set(member, packed);
}

/** How a member was packed, if it came out of an archive as it is. */
export function packedMember(member: Uint8Array): PackedMember | undefined {
  return KNOWN.get(member);
}
