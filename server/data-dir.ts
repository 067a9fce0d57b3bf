import { mkdir, stat } from 'node:fs/promises'

/** Creates DATA_DIR, for its owner alone: orders, secrets and pictures are in it. An older one keeps its mode. */
export async function createDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
}

/** Whether other users of the machine may look into it. */
export async function isOpenToOthers(dataDir: string): Promise<boolean> {
  return process.platform !== 'win32' && ((await stat(dataDir)).mode & 0o077) !== 0
}
