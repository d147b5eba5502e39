import { inflateRawSync } from 'node:zlib'

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const DEFLATED = 8

/** The files of a ZIP archive by their paths, as any program reads them: by its directory. */
export function filesInZip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0 || archive.readUInt32LE(end) !== END_OF_DIRECTORY)
    throw new Error('Not a ZIP archive')
  const files = new Map<string, Buffer>()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error('A broken directory')
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((it) =>
      archive.readUInt16LE(at + it),
    ) as [number, number, number]
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    const header = archive.readUInt32LE(at + 42)
    const content =
      header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28)
    const packed = archive.subarray(content, content + archive.readUInt32LE(at + 20))
    const isDeflated = archive.readUInt16LE(at + 10) === DEFLATED
    files.set(name, isDeflated ? inflateRawSync(packed) : packed)
    at += 46 + nameLength + extraLength + commentLength
  }
  return files
}
