/** A name of a signature, a manifest or a time stamp of a container (EN 319 162-1), which stand at its ends in plain text. */
const NAMES = /vnd\.etsi\.asic-[se]\+zip|META-INF\/\w*(?:signature|timestamp|ASiCManifest)/i
/** Octets at each end that are searched: in front the first file, behind the directory. */
const END = 64 * 1024

type Read = (from: number, to: number) => Uint8Array | Promise<Uint8Array>

/** Whether a ZIP says that it is a container of signed files. */
export async function namesSignatures(read: Read, size: number): Promise<boolean> {
  const ends = [await read(0, Math.min(size, END)), await read(Math.max(0, size - END), size)]
  return ends.some((end) => NAMES.test(new TextDecoder('latin1').decode(end)))
}
