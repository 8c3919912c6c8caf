import { crc32, deflateRawSync } from 'node:zlib'

/** Earliest date of a zip archive (1 January 1980), so that the same files give the same bytes. */
const DOS_DATE = 0x21

/**
 * Returns a zip archive (PKWARE APPNOTE 6.3.9: local headers, deflate, central directory) of files under UTF-8 paths, readable by all.
 */
export const zip = (files: readonly { path: string; bytes: Buffer }[]): Buffer => {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, bytes } of files) {
    const name = Buffer.from(path)
    const packed = deflateRawSync(bytes, { level: 9 })
    // Version, flags (UTF-8 names), method, time, date, CRC, sizes, length of the name, length of extra fields.
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x0800, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt16LE(DOS_DATE, 8)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(name.length, 22)
    bodies.push(Buffer.from('PK\x03\x04', 'latin1'), common, name, packed)
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE((0o100644 << 16) >>> 0, 6)
    entry.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, entry, name)
    offset += 4 + common.length + name.length + packed.length
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(size, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...bodies, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end])
}
