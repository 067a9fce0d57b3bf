/** Reads a stream of bytes in pieces of the reader's choice. */
export type ByteReader = {
  /** Undefined if there are fewer bytes. */
  read: (length: number) => Promise<Buffer | undefined>
  /** With its line end. Undefined if there is none within so many bytes. */
  readLine: (maxLength: number) => Promise<Buffer | undefined>
  isAtEnd: () => Promise<boolean>
}

export function openByteReader(source: AsyncIterable<Buffer>): ByteReader {
  const chunks = source[Symbol.asyncIterator]()
  let buffered: Buffer = Buffer.alloc(0)

  async function fill(length: number): Promise<boolean> {
    if (buffered.length >= length) return true
    const parts = [buffered]
    let size = buffered.length
    while (size < length) {
      const next = await chunks.next()
      if (next.done) break
      parts.push(next.value)
      size += next.value.length
    }
    buffered = Buffer.concat(parts)
    return size >= length
  }

  function take(length: number): Buffer {
    const taken = buffered.subarray(0, length)
    buffered = buffered.subarray(length)
    return taken
  }

  return {
    read: async (length) => ((await fill(length)) ? take(length) : undefined),
    async readLine(maxLength) {
      let searched = 0
      for (;;) {
        const end = buffered.subarray(0, maxLength).indexOf(0x0a, searched)
        if (end >= 0) return take(end + 1)
        searched = buffered.length
        if (searched >= maxLength || !(await fill(searched + 1))) return undefined
      }
    },
    isAtEnd: async () => !(await fill(1)),
  }
}
