import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CannotStart } from './cannot-start.ts'

const generatedPattern = /^[0-9a-f]{64}$/

/** Signs links. From the settings, or generated once and stored where only its owner can read it. */
export async function readSecret(config: {
  sessionSecret: string | undefined
  dataDir: string
}): Promise<string> {
  if (config.sessionSecret) return config.sessionSecret
  const file = join(config.dataDir, 'secret')
  const secret = (await findFile(file)) ?? (await createSecret(config.dataDir, file))
  if (!generatedPattern.test(secret)) {
    throw new CannotStart(
      `${file} is damaged. Restore it from a backup, or delete it: links that were signed with it end.`,
    )
  }
  return secret
}

/** Written under another name and then linked: of two nodes that start at once, one wins. */
async function createSecret(folder: string, file: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const draft = `${file}.${randomBytes(8).toString('hex')}`
  await writeFile(draft, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx', flush: true })
  try {
    await link(draft, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(file, 'utf8')
}

async function findFile(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
