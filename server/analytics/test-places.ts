/** A file of places in MaxMind's format in which every address is at the same place. */
export function writePlaces(record: object): Buffer {
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 0,
    database_type: 'Test',
    ip_version: 4,
    node_count: 1,
    record_size: 24,
  }
  // The only node: whichever bit comes next, the answer begins 16 bytes behind the tree.
  const toData = [0, 0, metadata.node_count + 16]
  const tree = Buffer.from([...toData, ...toData])
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
  return Buffer.concat([tree, Buffer.alloc(16), encode(record), marker, encode(metadata)])
}

const [textType, wholeNumberType, mapType] = [2, 6, 7]

function encode(value: unknown): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value)
    return Buffer.concat([head(textType, text.length), text])
  }
  if (typeof value === 'number') return Buffer.concat([head(wholeNumberType, 1), Buffer.of(value)])
  const entries = Object.entries(value as object)
  return Buffer.concat([head(mapType, entries.length), ...entries.flat().map(encode)])
}

/** Three bits for the type and five for the size; longer texts than that have a byte more. */
function head(type: number, size: number): Buffer {
  return size < 29 ? Buffer.of((type << 5) | size) : Buffer.of((type << 5) | 29, size - 29)
}
