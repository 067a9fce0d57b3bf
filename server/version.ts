import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const packageFile = join(import.meta.dirname, '..', 'package.json')

/** The version of this Till. */
export const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
