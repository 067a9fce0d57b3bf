import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'

/** Moves a finished file to where it survives a power cut. */
export async function moveDurably(from: string, folder: string, name: string): Promise<void> {
  await rename(from, join(folder, name))
  // Windows cannot open folders; there the NTFS journal does this.
  if (process.platform === 'win32') return
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
